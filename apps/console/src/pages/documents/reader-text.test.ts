import { expect, it } from '@jest/globals';
import { readerText } from '#pages/documents/reader-text.ts';

it.each([
  ['public', 'Everyone with access to the collection'],
  ['user:ada@example.com', 'ada@example.com'],
  ['user:slack:U012', 'U012 (slack)'],
  ['group:domain:example.com', 'Everyone with an address at example.com'],
  ['group:okta/Human%20Resources', 'Group Human Resources (okta)'],
  ['group:jira:developers', 'Group developers (jira)'],
  ['group:100%', 'Group 100%'],
])('describes %s', (principal, text) => {
  expect(readerText(principal)).toBe(text);
});
