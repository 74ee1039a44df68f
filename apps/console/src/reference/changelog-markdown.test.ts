import { describe, expect, it } from '@jest/globals';
import { changelogMarkdown } from '#reference/changelog-markdown.ts';

const CHANGELOG = `# Changelog

Unreleased changes are in [.changeset](.changeset).

## 0.1.0

The first version. See [the guide](docs/guide.md) and [the site](https://example.com).
`;
const changes = [
  { kind: 'minor', text: 'Add `npm run dev` to\nv1.2 of the server. It restarts.' },
  { kind: 'patch', text: 'Without a full stop' },
];
const sectionsOf = (list: readonly (typeof changes)[number][]) =>
  list.map(({ kind, text }) => `### ${kind}\n\n- ${text}\n`).join('\n');

describe('the changelog of the API reference', () => {
  it('begins with the first sentence of each unreleased change', () => {
    const markdown = changelogMarkdown(CHANGELOG, changes, sectionsOf);
    expect(markdown).toMatch(/^# Changelog\n/);
    expect(markdown).toContain('## Unreleased\n\n### minor\n\n- Add `npm run dev` to v1.2 of the server.\n');
    expect(markdown).toContain('### patch\n\n- Without a full stop\n');
    expect(markdown).not.toContain('It restarts');
  });

  it('contains the released versions, without links to files', () => {
    const markdown = changelogMarkdown(CHANGELOG, [], sectionsOf);
    expect(markdown).toContain('## 0.1.0\n\nThe first version. See the guide and [the site](https://example.com).');
    expect(markdown).not.toContain('## Unreleased');
    expect(markdown).not.toContain('.changeset');
  });
});
