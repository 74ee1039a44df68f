const number = (value: number) => value.toLocaleString('en');

/** For example `in 7 seconds`. */
const inSeconds = (seconds: number) => new Intl.RelativeTimeFormat('en').format(seconds, 'second');

/** The texts of `widget.js`, which every page loads. */
export const widget = {
  modes: { search: 'Search', ask: 'Ask' },
  modesLabel: 'Search or ask',
  searchLabel: 'Search',
  askLabel: 'Ask a question',
  loading: 'Loading…',
  notLoaded: 'This box could not be loaded. Check your connection, and reload the page.',
  noResults: 'No results.',
  results: (count: number) => (count === 1 ? '1 result.' : `${number(count)} results.`),
  keyMissing: 'Search is not configured correctly: the key is missing.',
  secretKey: 'Search is not configured correctly: a secret key must never be used in a web page. Revoke it.',
  keyRejected: 'Search is not configured correctly: the key is invalid or has expired.',
  forbidden: 'Search is not allowed on this page.',
  tooMany: (seconds: number) => `Too many searches. Try again ${inSeconds(seconds)}.`,
  unreachable: 'Search is not reachable from this page.',
  unavailable: 'Search is temporarily unavailable. Try again later.',
};

/** The texts of `widget-ask.js`. */
export const ask = {
  conversation: 'Conversation',
  ask: 'Ask',
  stop: 'Stop',
  youAsked: 'You asked:',
  answer: 'Answer',
  sources: 'Sources',
  source: (source: number, title: string) => `Source ${source}: ${title}`,
  code: 'Code',
  answering: 'Answering…',
  complete: 'The answer is complete.',
  completeWithSources: (count: number) =>
    count === 1 ? 'The answer is complete, with 1 source.' : `The answer is complete, with ${number(count)} sources.`,
  stopped: 'The answer was stopped.',
  lowConfidence: 'The cited passages may not answer your question. Read them first.',
  notAnswered: 'The documents that you can read do not answer this question.',
  keyMissing: 'Asking is not configured correctly: the key is missing.',
  secretKey: 'Asking is not configured correctly: a secret key must never be used in a web page. Revoke it.',
  publishableKey:
    'Only signed-in visitors can ask questions here. If you are signed in, ask the owner of this site to set up a user token with the right "chat".',
  expired: 'Your access has expired. If nothing happens, reload the page and ask again.',
  forbidden:
    'Asking is not allowed on this page. Ask the owner of this site to check the hosts of the key, and the right "chat" of the user token.',
  tooMany: 'Too many questions. Try again later.',
  tooManyUntil: (seconds: number) => `Too many questions. Try again ${inSeconds(seconds)}.`,
  conversationGone: 'This conversation does not exist anymore. Ask again to start a new one.',
  invalid: 'The server did not accept the question. Change it.',
  serverTimeout: 'The server did not answer in time. Try again later.',
  unreachable: 'The server is not reachable from this page. Check your connection and ask again.',
  answerTimeout: 'The answer took too long. Ask again.',
  unavailable: 'Answers are temporarily unavailable. Try again later.',
};
