import { expect, it } from '@jest/globals';
import { groupFailures } from '#pages/jobs/group-failures.ts';

const image = (path: string) => ({ path, code: 'unsupported_format', message: 'Images are not supported.' });
const scan = { path: 'scan.pdf', code: 'no_text', message: 'The file has no text.' };
const job = { path: '', code: 'deletion_held', message: 'Most documents are missing.' };

it('groups failures by their reason, those of the job first, then the most frequent', () => {
  expect(groupFailures([scan, image('a.png'), job, image('b.png')])).toEqual([
    { code: 'deletion_held', message: 'Most documents are missing.', paths: [] },
    { code: 'unsupported_format', message: 'Images are not supported.', paths: ['a.png', 'b.png'] },
    { code: 'no_text', message: 'The file has no text.', paths: ['scan.pdf'] },
  ]);
});

it('separates failures with the same code and different messages', () => {
  const other = { ...scan, path: 'b.pdf', message: 'The pages have no text.' };
  expect(groupFailures([scan, other]).map(({ paths }) => paths)).toEqual([['scan.pdf'], ['b.pdf']]);
});
