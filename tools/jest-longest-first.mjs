import Sequencer from '@jest/test-sequencer';

/** Files that take longer than their size suggests, the longest first. One that starts last runs alone. */
const LONGEST = [
  'console.browser.ts',
  'ask.browser.ts',
  'permission-properties.test.ts',
  'source-crash.test.ts',
  'first-start.test.ts',
  'dev.test.ts',
];

/** Jest's order, by earlier durations or by size, after the files of `LONGEST`. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const position = ({ path }) => {
      const found = LONGEST.findIndex((name) => path.endsWith(name));
      return found === -1 ? LONGEST.length : found;
    };
    return super.sort(tests).toSorted((one, other) => position(one) - position(other));
  }
}
