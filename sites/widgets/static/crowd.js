// How people write when they want something done with a mail: in a hurry, politely, with more than
// was needed, in small letters, with slips. Of every sentence there is one reading.
"use strict";
const crowd = (() => {
  const said = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

  // {by} wrote the mail, {to} is to get it, {text} is the reply.
  const SENTENCES = {
    reply: {
      train: said(`
        Reply "{text}" to the email {by} sent me.
        Please write {by} back with "{text}"
        Pls answer the mail from {by}: "{text}"
        Got a mail from {by} this morning, can you reply "{text}" to it?
        I owe {by} an answer to that email. Make it "{text}"
        Answer {by}. Just say "{text}" and send it.
        Can u get back to {by}'s msg with "{text}"?
        There should be an email by {by} somewhere in here, respond with "{text}"
        Hit reply on whatever {by} wrote and type "{text}"
        "{text}" - send that as my reply to {by}.
        My response to the email from {by} is "{text}"
        Would you mind replying to {by} for me? It should say "{text}"
        Find the one from {by} and write back "{text}"
        {by} is still waiting to hear from me. Reply "{text}" please.
        Respond to {by}'s latest with the words "{text}"
        Go to my inbox, open the mail by {by} and reply with "{text}"
        I want to tell {by} "{text}" in reply to the email I got.
        Reply 2 {by}: "{text}"
        Tell {by} "{text}", as an answer to their email.
        Open {by}'s email. Click reply. Type "{text}". Send. Not hard.
        Need a quick answer to {by}'s email, put "{text}" in it.
        Could you please respond with "{text}" to the message that {by} sent me?
        Just reply "{text}" to {by} so it's off my list.
        The email from {by} needs a response, which is "{text}"
        Send a reply to {by} that reads "{text}"
        I forgot to answer {by} yesterday, so write "{text}" as the reply.
        Look for an email from {by}, then reply to it using "{text}"
        Write "{text}" back to {by} and nothing else.
        Re {by}'s mail, my answer is "{text}", please send.
        Let {by} know "{text}" by answering their email.
        When you see the mail from {by}, reply with this: "{text}"
        What {by} wrote deserves an answer. "{text}" will do.
        Put "{text}" in a reply to {by}'s message and send it off.
        For {by}'s email: hit reply, enter "{text}", done.
        I was going to answer {by} myself but no time, reply "{text}"
        Answer the question in the email from {by} by writing "{text}"
        Drop {by} a reply, only "{text}", they'll understand.
        Is there a mail from {by}? If so respond "{text}"
        Kindly reply to the email by {by} with the text "{text}"
        Would be great if you could answer {by}'s email for me, "{text}" is enough.
      `),
      test: said(`
        Return {by}'s email with the answer "{text}"
        Shoot {by} a reply with "{text}", would you?
        {by} mailed me a question. The answer is "{text}", so reply that.
        Type "{text}" into a reply for {by} and fire it off.
        About the email {by} sent: respond "{text}"
        Use "{text}" to answer the msg from {by}.
        Nobody answered {by} yet?! Reply with "{text}" already.
        Make the reply to {by} "{text}" and send.
        "{text}" is what I'd like to answer to {by}'s email.
        Do me a favor and reply "{text}" to the mail by {by}.
        I'd like the email from {by} answered, with "{text}"
        As a reply to {by}, enter "{text}" & send it.
      `),
    },
    forward: {
      train: said(`
        Forward {by}'s mail on to {to}.
        Fwd the msg from {by} to {to} pls.
        Please send {to} what {by} wrote.
        Could you pass the email from {by} along to {to}?
        {to} asked to see the email from {by}, so forward it please.
        Share {by}'s message with {to}, thanks a lot.
        I think {to} should read the mail that {by} sent, so forward it.
        Find the email by {by}. Send it over to {to}.
        Let {to} have a look at {by}'s email by forwarding it.
        Can u forward {to} the one from {by}?
        Need {by}'s mail sent to {to} asap.
        There's an email in here from {by} that belongs with {to}, please forward.
        Give {to} a copy of the email that came from {by}.
        The thing {by} sent me is really for {to}. Forward it.
        Make sure {to} gets the message from {by}, I promised it.
        Forward to {to} whatever {by} wrote.
        {by}'s email is meant for {to}. Just forward it.
        Open the message by {by} and forward to {to}, that's all.
        I got a mail from {by} that {to} needs too, so pass it on.
        Would you forward {by}'s email for me? It goes to {to}.
        Send {to} the email I received from {by} please.
        Look up the email from {by}, click forward, put {to} in the to field, send.
        {to} keeps asking me for {by}'s email, so forward it already.
        Get the mail by {by} to {to} before lunch if you can.
        Hand {by}'s message on to {to}, they know what to do.
        I'm not the right person for {by}'s email. Please forward it to {to}.
        Kindly direct the email from {by} to {to}.
        Pls fwd to {to}: the mail {by} sent.
        Loop {to} in by forwarding the email from {by}.
        Just take the message {by} sent and forward it to {to}.
        {to} didn't get the email from {by}, please forward it.
        Don't answer {by}'s mail, forward it to {to} instead.
        Can {to} get a copy of that email by {by}? Forward it.
        Search the inbox for mail from {by} & forward it to {to}.
        As discussed, the email from {by} should go to {to}.
        You'll see {by}'s message in the inbox, send it to {to}, ok?
        Would it be possible to forward {to} the message from {by}?
        I'd like {to} to see this one from {by}, so forward it.
        The email by {by} goes to {to}, please forward it for me.
        Transfer {by}'s email over to {to}, I can't do it from here.
      `),
      test: said(`
        Relay the email from {by} to {to}.
        {to} ought to see {by}'s email. Forward it, would you?
        Please get the mail by {by} over to {to}.
        Fwd {by}'s msg to {to}, quick.
        Pass on the message from {by}. It's {to} who needs it.
        I told {to} they would get the email by {by}, so forward it.
        Do forward the one {by} wrote, and to {to} please.
        Let {to} know what {by} wrote, forward the email.
        Have the mail from {by} delivered to {to} by hitting forward.
        The mail from {by} is something for {to}, forward it now.
        In my inbox there's something by {by}, forward that to {to}.
        Can you forward mail? Then send {by}'s to {to}.
      `),
    },
    trash: {
      train: said(`
        Delete the mail from {by} please.
        Get rid of that email by {by}, I'm done with it.
        Pls delete {by}'s msg.
        I don't need the email from {by} anymore, you can delete it.
        Throw {by}'s message away.
        Can you trash whatever {by} sent?
        The email by {by} is just spam, remove it.
        Bin the mail from {by}, thanks.
        Find {by}'s email and click the trash can.
        Would you please remove the email {by} wrote? It is in the way.
        I already read {by}'s mail, delete it so the list gets shorter.
        Need the message from {by} gone, so delete it.
        {by}'s email is junk. Trash it.
        My inbox is a mess. Delete the one from {by} to begin with.
        Toss the email that {by} sent me.
        Erase {by}'s message, nobody has to see it.
        Put the email from {by} in the trash for me.
        I never want to read {by}'s email again, delete it.
        That mail from {by} has to go. Delete.
        Look for a message from {by} and delete it asap.
        Please take {by}'s mail out of my inbox and into the trash.
        You can safely delete what {by} wrote.
        Not answering {by}, just delete the email.
        Delete, don't forward, the email by {by}.
        Open the inbox & remove the message by {by}.
        Could you throw away {by}'s email? I keep clicking on it by accident.
        Ugh, {by} again. Delete that email, would you.
        Discard the mail I got from {by}.
        {by}'s message can be thrown out.
        Do me a favor and trash the email from {by}.
        The email from {by} isn't for me, so just delete it.
        Move {by}'s email to the trash please.
        There's an old message by {by} in there, get rid of it.
        Wipe {by}'s mail.
        Why is {by}'s email still here? Delete it already.
        I'd like the email {by} sent to be deleted.
        Trash it, the email from {by} I mean.
        Kindly delete the message that came from {by}.
        Remove {by}'s email, it takes up space.
        Use the trash icon on the mail by {by}.
      `),
      test: said(`
        Away with {by}'s email, delete it.
        Chuck the message from {by} in the bin, please.
        The mail {by} sent is no use to me. Remove it.
        Make the email from {by} disappear into the trash.
        I've dealt with {by}'s email, it can be deleted now.
        Would you mind deleting the message by {by}?
        Just bin what {by} wrote.
        Del the email by {by}, I need room.
        Can we lose the message from {by}? Trash it.
        Scrap {by}'s mail. All of it.
        Find {by} in the inbox, then delete their email.
        No reply needed to {by}, so delete the message.
      `),
    },
    star: {
      train: said(`
        Star the mail from {by} please.
        Mark {by}'s message as important.
        Pls flag {by}'s email as important.
        The email by {by} matters, put a star on it.
        Could you star what {by} sent me?
        Need to find {by}'s mail again later, so star it.
        Give the email from {by} a star.
        {by} sent me something important, mark the email that way.
        Mark as important: the mail by {by}.
        Don't delete {by}'s email, it's important. Star it.
        Click the little star next to {by}'s email.
        Would you please mark the message from {by} as an important one?
        I want {by}'s email starred.
        Make the mail from {by} important.
        Please put the important mark on {by}'s email, thanks.
        Find the email that {by} wrote and star it.
        Set {by}'s msg to important.
        Anything from {by} is important to me, so star the email.
        Look for {by}'s email in the inbox and hit the star.
        That message by {by} shouldn't get lost, star it for me.
        Tag the email from {by} as important.
        I have to come back to {by}'s mail, flag it with the star.
        Add a star to the email I got from {by}.
        No need to answer {by} now, only star the email.
        Can u mark {by}'s mail important?
        It's important that I don't miss {by}'s email. Star it please.
        Kindly mark the email by {by} with a star.
        Use the star icon on the message from {by}.
        You know the email from {by}? Important! Star it.
        The mail {by} sent is important, mark it so.
        Treat {by}'s message as important and star it.
        Light up the star for {by}'s email.
        Star the one from {by}, the rest can stay as it is.
        Go through the inbox, and when you get to {by}'s email star it.
        New mail from {by}, mark as important.
        I'm reading {by}'s email tonight, so give it a star.
        Would be good to have the email from {by} marked as important.
        Turn on the star beside {by}'s name.
        Make {by}'s email stand out, I mean star it.
        Put a star by the message from {by}.
      `),
      test: said(`
        Flag the message from {by} with a star.
        {by}'s mail is an important one, mark it as such.
        Let's have a star on the email by {by}.
        Keep {by}'s email as important, just hit the star.
        Highlight the mail from {by} with the star.
        Do not forget the star for what {by} sent.
        Is {by}'s email marked important yet? If not, do that.
        Important stuff from {by} came in, star the mail.
        I'd hate to lose the message by {by}, so please star it.
        Note the email from {by} as important, will you?
        Just tap the star at {by}'s email.
        This one is important: the mail from {by}. Mark it.
      `),
    },
  };

  // What has nothing to do with it, before a sentence and after.
  const BEFORE = {
    train: said(`
      Hi there.
      Good morning!
      Quick one.
      Sorry to bother you again.
      I'm on my phone so excuse the typing.
      Ok so.
      Busy day here.
      One more thing before I leave.
      Hope you had a nice weekend.
      Not sure if you're at your desk yet.
      Finally back from the dentist.
    `),
    test: said(`
      Morning.
      Me again.
      Long day, sorry.
      I just landed.
      Coffee first, now this.
    `),
  };
  const AFTER = {
    train: said(`
      Thanks!
      Thank you so much.
      No rush.
      And please hurry, I'm late.
      I've asked twice already.
      I'd do it myself but I'm driving.
      It's raining cats and dogs here btw.
      Thx in advance.
      Then I can go home.
      Why is this taking so long?
      You're the best.
      ASAP please.
    `),
    test: said(`
      Cheers.
      Much appreciated.
      This can't wait.
      I don't have all day.
      My train leaves in ten minutes.
    `),
  };

  const framed = (sentence, set) => (core.chance(0.5)
    ? `${core.sample(BEFORE[set])} ${sentence}` : `${sentence} ${core.sample(AFTER[set])}`);

  // Manners. None of them touches a slot, so that names and replies stay as they are.

  const lowered = (text) => text.replace(/(^|[.!?:] )([A-Z])(?![A-Z])/g,
    (_, before, letter) => before + letter.toLowerCase()).replace(/\bI\b/g, "i");
  const unended = (text) => text.replace(/[.!?]$/, "");
  /** Without apostrophes (but in I'm and the like), and without commas that nobody misses. */
  const unpointed = (text) => text.replace(/([a-z])'(?=[a-z])/g, "$1")
    .replace(/,(?= (and|but|pls|please|so|thanks|then|thx|would)\b)/g, "");
  const SHORT = { please: "pls", Please: "Pls", you: "u", your: "ur", thanks: "thx", Thanks: "Thx",
    message: "msg", tonight: "2nite" };
  const shortened = (text) => text.replace(/\b[A-Za-z]+\b(?!['}])/g, (word) => SHORT[word] ?? word);
  /** Words whose slips leave nothing unclear. */
  const HARMLESS = ["again", "already", "email", "inbox", "just", "message", "morning", "please",
    "really", "somewhere", "sorry", "would"];
  const misspelt = (text) => {
    const found = [...text.matchAll(new RegExp(`\\b(${HARMLESS.join("|")})\\b`, "gi"))];
    if (!found.length) return text;
    const { 0: word, index } = core.sample(found), at = core.randi(1, word.length - 2);
    const [start, one, two, rest] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)];
    const slips = [two + one, one + one + two, two].map((slip) => start + slip + rest);
    const slip = core.sample(slips.filter((each) => each !== word));
    return text.slice(0, index) + slip + text.slice(index + word.length);
  };
  const MANNERS = [[0.1, shortened], [0.1, unpointed], [0.15, lowered], [0.25, unended], [0.15, misspelt]];

  /** More letters than these, with names and text in their places, would not be shown whole. */
  const LONGEST = 140;

  /** A sentence that asks for it, as somebody wrote it; the test's are not among the others. */
  const write = (doing, mode, parts) => {
    const set = mode === "test" ? "test" : "train", bare = core.sample(SENTENCES[doing][set]);
    const long = core.chance(0.3) ? framed(bare, set) : bare;
    const text = requests.fill(long, parts).length > LONGEST ? bare : long;
    const typed = MANNERS.reduce((so, [share, manner]) => (core.chance(share) ? manner(so) : so), text);
    return requests.fill(typed, parts);
  };

  return Object.freeze({ write, SENTENCES, BEFORE, AFTER, SHORT, HARMLESS });
})();
