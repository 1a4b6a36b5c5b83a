// What people say when they want something done with a mail. A sentence is one of the ways to ask
// around one of the phrases, or stands alone.
"use strict";
const requests = (() => {
  const start = (phrase) => phrase[0].toUpperCase() + phrase.slice(1);

  const WAYS = {
    train: [
      (phrase) => `${start(phrase)}.`,
      (phrase) => `Please ${phrase}.`,
      (phrase) => `Could you ${phrase}?`,
      (phrase) => `I want you to ${phrase}.`,
      (phrase) => `Next, ${phrase}, thanks.`,
      (phrase) => phrase,
    ],
    test: [
      (phrase) => `Now ${phrase}.`,
      (phrase) => `Would you ${phrase}?`,
      (phrase) => `It is time to ${phrase}.`,
    ],
  };

  // The line "---" stands between the phrases and the sentences that stand alone.
  const said = (text) => text.split("---").map((part) =>
    part.split("\n").map((line) => line.trim()).filter(Boolean));

  const PHRASES = {
    reply: {
      train: said(`
        reply to {by} with the text "{text}"
        answer {by}'s email with "{text}"
        write "{text}" back to {by}
        respond to the email from {by} by saying "{text}"
        find {by}'s message and reply "{text}"
        open the mail that {by} sent and answer "{text}"
        send {by} the reply "{text}"
        type "{text}" as the answer to {by}'s email
        let {by} know "{text}" in a reply
        look for the mail by {by} and write back "{text}"
        give {by} this answer by email: "{text}"
        tell {by} "{text}" in your answer to the email
        locate the email from {by}, hit reply and enter "{text}"
        use "{text}" to reply to what {by} wrote
        return {by}'s mail with the words "{text}"
        send "{text}" as a response to {by}
        reply "{text}" to the message of {by}
        put "{text}" into a reply to {by}
        ---
        {by}'s email needs the answer "{text}".
        My answer to {by} is "{text}", send it.
        There is a mail from {by}. Answer it with "{text}".
        The reply to {by} should read "{text}".
        "{text}" is what {by} should get as a reply.
        {by}'s mail waits for a reply: "{text}".
      `),
      test: said(`
        come back to {by} with "{text}"
        enter "{text}" as your reply to {by}
        pick {by}'s email and respond "{text}"
        mail {by} the answer "{text}"
        say "{text}" in an answer to {by}
        ---
        A reply is due to {by}: "{text}".
        {by}'s question has the answer "{text}".
      `),
    },
    forward: {
      train: said(`
        forward {by}'s email to {to}
        forward the email from {by} to {to}
        find the email by {by} and forward it to {to}
        send the mail that {by} wrote on to {to}
        pass the message by {by} on to {to}
        share {by}'s mail with {to}
        let {to} see the email from {by}
        send {to} the email that came from {by}
        look for {by}'s message and send it to {to}
        open what {by} sent and forward it to {to}
        give {to} a copy of {by}'s email
        make sure that {to} gets the mail of {by}
        relay the message from {by} to {to}
        get {by}'s email over to {to}
        forward to {to} the message that {by} sent
        show {to} what {by} wrote in the email
        take the mail from {by} and forward it to {to}
        send {to} a copy of the message that {by} wrote
        direct {by}'s email to {to}
        hand the email by {by} on to {to}
        ---
        {by}'s email should go to {to}.
        There is an email from {by}. Forward it to {to}.
        I think that {to} should have the mail that {by} sent.
        The email by {by} is for {to}, forward it.
        {by}'s message is one that {to} needs to get.
        If there is mail from {by}, forward it to {to}.
      `),
      test: said(`
        have {to} read the email by {by}
        ship {by}'s message to {to}
        let {to} get the mail from {by}
        pick the email by {by} and pass it along to {to}
        transfer the message of {by} to {to}
        ---
        {by}'s mail is meant for {to}.
        A copy of {by}'s email should go to {to}.
      `),
    },
    trash: {
      train: said(`
        delete the email from {by}
        delete {by}'s mail
        remove the message by {by}
        get rid of the email that {by} sent
        move {by}'s email to the trash
        throw away the mail from {by}
        find the email by {by} and delete it
        click the trash icon of {by}'s email
        put the message from {by} into the bin
        erase what {by} wrote to you
        take {by}'s message out of the inbox
        discard the email by {by}
        locate {by}'s mail and throw it out
        trash the message that came from {by}
        clear the inbox of {by}'s email
        ---
        {by}'s email can be deleted.
        There is a mail from {by} that I do not need, delete it.
        I never want to see the email by {by} again, trash it.
        The message from {by} belongs in the bin.
        Nobody needs {by}'s mail, so delete it.
      `),
      test: said(`
        bin {by}'s email
        wipe the message from {by} off the list
        dump the mail by {by}
        press the trash icon beside {by}'s name
        drop the email that {by} sent into the trash
        ---
        {by}'s message has to go.
        Away with the mail from {by}.
      `),
    },
    star: {
      train: said(`
        star the email from {by}
        mark {by}'s email as important
        mark the message by {by} with a star
        click the star icon of {by}'s mail
        flag the mail from {by} as important
        give the email by {by} a star
        find {by}'s message and star it
        put a star on the mail that {by} sent
        set the email from {by} as important
        add a star to what {by} wrote
        tag {by}'s mail as important
        locate the message from {by} and mark it with the star
        let the star of {by}'s email light up
        make the email that {by} sent an important one
        ---
        {by}'s email is important, star it.
        I need the mail from {by} again soon, so give it a star.
        The message by {by} deserves a star.
        There is a mail from {by}. It is important, mark it so.
        Important mail came from {by}, so star it.
      `),
      test: said(`
        highlight {by}'s email with the star
        turn on the star beside the mail from {by}
        note that the email by {by} is important
        press the star of {by}'s message
        treat the mail from {by} as important
        ---
        {by}'s mail matters, star it.
        A star for the message from {by}, please.
      `),
    },
  };

  /** All sentences that ask for it, in the mode's set: the test's are not among the others. */
  const sentences = (doing, mode) => {
    const set = mode === "test" ? "test" : "train", [phrases, alone] = PHRASES[doing][set];
    return [...phrases.flatMap((phrase) => WAYS[set].map((way) => way(phrase))), ...alone];
  };
  /** So many of them, from the front, make the small sets. */
  const FEW = { train: 30, test: 1 };

  /** Ask for something to be done with a mail of `sender`, and show the mails. `to` is who a mail
   * is forwarded to; `few` draws from a small set of sentences. */
  const open = (task, mails, { doing, sender, to, few = false }) => {
    const reply = words.text(core.randi(3, 6)), text = { reply, forward: to }[doing];
    const all = sentences(doing, task.mode), size = FEW[task.mode === "test" ? "test" : "train"];
    const sentence = core.sample(few ? all.slice(0, size) : all);
    const parts = { by: sender, to, text: reply };
    const utterance = sentence.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
    const fields = { task: doing, by: sender };
    if (doing === "reply") fields.message = reply;
    if (doing === "forward") fields.to = to;
    task.say(utterance, { fields });
    mail.open(task, mails, { sender, doing, text });
  };

  return Object.freeze({ open, sentences });
})();
