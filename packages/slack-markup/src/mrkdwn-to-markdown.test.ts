import { describe, expect, it } from '@jest/globals';
import { mrkdwnToMarkdown } from '#mrkdwn-to-markdown';

const names = {
  user: (id: string) => ({ U1: 'Ada' })[id],
  channel: (id: string) => ({ C1: 'general' })[id],
};
const write = (text: string) => mrkdwnToMarkdown(text, names);

describe('mrkdwnToMarkdown', () => {
  it('writes the names of people, channels and groups', () => {
    expect(write('<@U1> and <@U2|bob> and <@U3> in <#C1> and <#C2|ops>')).toBe(
      '@Ada and @bob and @U3 in #general and #ops',
    );
    expect(write('<!here>, <!subteam^S1|@devs>, <!subteam^S2>')).toBe('@here, @devs, @group');
    expect(write('on <!date^1392734382^{date}|18 February>')).toBe('on 18 February');
  });

  it('writes links, with their text if it differs', () => {
    expect(write('<https://a.example/?x=1&amp;y=2|the page>')).toBe('[the page](https://a.example/?x=1&y=2)');
    expect(write('<https://a.example> <mailto:a@example.com|a@example.com>')).toBe('https://a.example a@example.com');
  });

  it('writes emphasis, and keeps text that only looks like it', () => {
    expect(write('*bold* _italic_ ~struck~, *two words*.')).toBe('**bold** _italic_ ~~struck~~, **two words**.');
    expect(write('2*3*4 and a ~ b')).toBe('2*3*4 and a ~ b');
  });

  it('does not change code', () => {
    expect(write('run `*a* &lt;b&gt;` now')).toBe('run `*a* <b>` now');
    expect(write('```*a*\n<https://x.example>```')).toBe('```\n*a*\nhttps://x.example\n```');
  });

  it('writes quotes and bullets, and unescapes entities', () => {
    expect(write('&gt; quoted\n• one\n• two')).toBe('> quoted\n- one\n- two');
    expect(write('a &lt;b&gt; &amp;amp; c')).toBe('a <b> &amp; c');
  });
});
