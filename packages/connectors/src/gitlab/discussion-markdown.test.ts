import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { discussionMarkdown } from '#gitlab/discussion-markdown';

const time = '2026-01-31T09:30:00.000Z';
const hostile = fc.oneof(
  fc.string({ minLength: 1 }),
  fc
    .array(
      fc.constantFrom(
        '```',
        '~~~',
        '<!--',
        '<pre>',
        '# h',
        '===',
        '---',
        '> q',
        '- l',
        '[a]: b',
        '\r',
        '\n',
        '\r\n',
        ' ',
        'x',
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);
const filled = hostile.filter((text) => text.trim() !== '');

const markdown = (fields: { title: string; name: string; description: string; bodies: readonly string[] }) => {
  const author = { id: 1, name: fields.name, state: 'active' };
  const notes = fields.bodies.map((body, id) => ({ id, body, author, created_at: time }));
  const issue = {
    iid: 7,
    web_url: undefined,
    title: fields.title,
    description: fields.description,
    author,
    labels: [fields.title],
  };
  return discussionMarkdown('issues', { ...issue, created_at: time, updated_at: time }, { notes, isCut: false });
};

/** The lines that no person wrote. */
const frameOf = (text: string) => text.split(/\r\n|\r|\n/).filter((line) => !line.startsWith('> '));

describe('the Markdown of a discussion', () => {
  it('has the same frame for any texts, so that none can hide or move another', () => {
    fc.assert(
      fc.property(filled, fc.array(filled, { maxLength: 4 }), (description, bodies) => {
        const fields = { title: 'Door', name: 'Ada' };
        const plain = markdown({ ...fields, description: 'x', bodies: bodies.map(() => 'x') });
        expect(frameOf(markdown({ ...fields, description, bodies }))).toEqual(frameOf(plain));
      }),
    );
  });

  it('contains each text completely', () => {
    fc.assert(
      fc.property(filled, fc.array(filled, { maxLength: 4 }), (description, bodies) => {
        const lines = markdown({ title: 'Door', name: 'Ada', description, bodies }).split('\n');
        const written = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
        const expected = [description, ...bodies].flatMap((text) => text.trim().split(/\r\n|\r|\n/));
        expect(written).toEqual(expected);
      }),
    );
  });

  it('keeps titles, names and labels on their lines, without markup', () => {
    fc.assert(
      fc.property(filled, filled, (title, name) => {
        const text = markdown({ title, name, description: 'x', bodies: ['x'] });
        expect(frameOf(text)).toHaveLength(
          frameOf(markdown({ title: 'x', name: 'x', description: 'x', bodies: ['x'] })).length,
        );
        expect(text.split('\n')[0]).toMatch(/^# \\#7: /);
        expect(text).not.toMatch(/(?<!\\)[<[`]/);
      }),
    );
  });
});
