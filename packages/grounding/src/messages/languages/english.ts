import type { ReplyMessages } from '#messages/reply-messages';

export const ENGLISH_MESSAGES: ReplyMessages = {
  quoted: '"{text}"',
  accordingTo: 'According to "{title}":',
  mayAnswer: 'This passage of "{title}" may answer the question:',
  alsoIn: '"{title}" adds:',
  overview: 'In short, from the documents:',
  closest: 'The closest passage I found:',
  contradiction: 'The documents differ:',
  notFound: 'I could not find an answer to that in the documents I can see.',
  nothingAbout: 'I found nothing about {subject} in the documents I can see.',
  missing: 'The passages that were found do not mention {value}.',
  missingSeveral: 'The passages that were found do not mention {values}.',
  mainPoints: 'What are the main points of "{title}"?',
  rephrase: 'Try other words, or ask about something that the documents cover.',
  rephraseLike: 'Try other words, or ask about something that the documents cover, for example {titles}.',
  noDocuments:
    'There are no documents yet that I can search for you. Upload documents or connect a source, then ask again.',
  notYet: 'I cannot answer yet.',
  indexing: {
    one: '{count} document is still being indexed.',
    other: '{count} documents are still being indexed.',
  },
  askAgainLater: 'Please ask again in a few minutes.',
  withheld:
    'This reply is withheld: it is based on documents that were deleted or that you may no longer read. Ask again to get a new answer.',
  greeting: 'Hello! Ask me a question about your documents, and I will quote the passages that answer it.',
  thanks: 'You are welcome. Ask me if you need anything else.',
  farewell: 'Goodbye!',
  aboutMe:
    'I am Lectern with its built-in extractive model: I search your documents and quote the sentences that answer your question, with their sources. I do not write text of my own.',
  acknowledged: 'All right. What would you like to look up in your documents?',
};
