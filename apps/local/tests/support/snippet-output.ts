import { expect } from '@jest/globals';
import { printedBy } from './run-snippets.ts';

/** The expected output of each snippet in the README. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  '1. Connect': /^A secret key of team_/,
  '2. Create a collection and index a document': /^Leave (pending|processing|indexed)$/,
  '3. Upload files and follow the progress': /^100%$/m,
  '4. Watch a sync job': /^end completed 1 of 1$/m,
  '5. Search': /Travel[\s\S]*second class/i,
  '6. Search from a page, with facets': /^source \[\{.*"count":/m,
  '7. Ask': /second class[\s\S]*(high|medium|low)[\s\S]*Trains/i,
  '8. Stream a reply': /approval.* \d+$/m,
  '9. Read complete lists': /^.* of 2\n.* of 2$/,
  '10. Sign requests, set timeouts and handle errors': /^not_found 404 req_\w+ \{.*"resource":"collection"/,
  '11. Update only if nothing has changed': /^precondition_failed 412$/,
};

/** Checks the output of all snippets. */
export function expectPrinted(lines: readonly string[], titles: readonly string[]): void {
  expect(titles).toEqual(Object.keys(EXPECTED));
  const printed = printedBy(lines);
  for (const title of titles) expect(`${title}\n${printed.get(title)?.join('\n')}`).toMatch(expectedFor(title));
}

/** Returns the expected output for a title. */
function expectedFor(title: string): RegExp {
  const { source, flags } = EXPECTED[title] ?? /never/;
  return new RegExp(source, flags.includes('m') ? flags : `${flags}m`);
}
