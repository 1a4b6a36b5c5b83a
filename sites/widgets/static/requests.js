// Requests for something to be done with a mail, in other words than the pages with mail use.
"use strict";
const requests = (() => {
  const said = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

  /** Ways to ask that a mail by {by} be forwarded to {to}. */
  const FORWARD = {
    train: said(`
      Forward {by}'s email to {to}.
      Please forward to {to} the email that {by} wrote.
      Find the message by {by} and forward it to {to}.
      Send on to {to} the mail that {by} wrote.
      Pass the message by {by} on to {to}.
      Share {by}'s mail with {to}.
      Let {to} see the email from {by}.
      Send {to} the email that came from {by}.
      Look for {by}'s message and send it to {to}.
      Open what {by} sent and forward it to {to}.
      Give {to} a copy of {by}'s email.
      Make sure that {to} gets the mail from {by}.
      Relay the message from {by} to {to}.
      Get {by}'s email over to {to}.
      Forward to {to} the message that {by} sent.
      Show {to} what {by} wrote in the email.
      Take the mail from {by} and forward it to {to}.
      Send {to} a copy of the message that {by} wrote.
      Direct {by}'s email to {to}.
      Hand the email by {by} on to {to}.
      {by}'s email should go to {to}.
      There is an email from {by}. Forward it to {to}.
      I think that {to} should have the mail that {by} sent.
      The email by {by} is for {to}, forward it.
      {by}'s message is one that {to} needs to get.
      If there is mail from {by}, forward it to {to}.
      I want you to forward {by}'s mail to {to}.
      Could you forward the message from {by} to {to}?
      Now send {by}'s email on to {to}.
      It is {to} who should read {by}'s mail, so forward it.
    `),
    test: said(`
      Have {to} read the email by {by}.
      Ship {by}'s message to {to}.
      Pick the email by {by} and pass it along to {to}.
      A copy of {by}'s email should go to {to}.
    `),
  };

  /** A sentence with names and text in their places. */
  const fill = (sentence, parts) => sentence.replace(/\{(\w+)\}/g, (_, name) => parts[name]);

  /** One of a few plain sentences that ask to forward a mail; the test's are not among the others. */
  const write = (doing, mode, parts) =>
    fill(core.sample(FORWARD[mode === "test" ? "test" : "train"]), parts);

  /** Ask for something to be done with a mail of `sender`, and show the mails. `to` is who a mail
   * is forwarded to; `written` gives the sentence. */
  const open = (task, mails, { doing, sender, to }, written = write) => {
    const message = words.text(core.randi(3, 6)), text = { reply: message, forward: to }[doing];
    const utterance = written(doing, task.mode, { by: sender, to, text: message });
    const fields = { task: doing === "trash" ? "delete" : doing, by: sender };
    if (doing === "reply") fields.message = message;
    if (doing === "forward") fields.to = to;
    task.say(utterance, { fields });
    mail.open(task, mails, { sender, doing, text });
  };

  return Object.freeze({ open, write, fill, FORWARD });
})();
