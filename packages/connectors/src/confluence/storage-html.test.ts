import { describe, expect, it } from '@jest/globals';
import { pageHtml, storageToHtml } from '#confluence/storage-html';

describe('storageToHtml', () => {
  it('keeps HTML elements, including tables and entities', () => {
    const storage = '<h2>A &amp; B</h2><table><tbody><tr><td colspan="2">1&nbsp;&lt; 2<br /></td></tr></tbody></table>';
    expect(storageToHtml(storage)).toBe(
      '<h2>A &amp; B</h2><table><tbody><tr><td colspan="2">1\u00a0&lt; 2<br></td></tr></tbody></table>',
    );
  });

  it('keeps code with its language and title, without other parameters', () => {
    const storage =
      '<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">py</ac:parameter><ac:parameter ac:name="title">x.py</ac:parameter><ac:parameter ac:name="linenumbers">true</ac:parameter><ac:plain-text-body><![CDATA[if a < b:\n  <p>&amp;]]></ac:plain-text-body></ac:structured-macro>';
    expect(storageToHtml(storage)).toBe(
      '<p><strong>x.py</strong></p><pre><code class="language-py">if a &lt; b:\n  &lt;p&gt;&amp;amp;</code></pre>',
    );
  });

  it('converts panels, tasks, layouts and statuses', () => {
    const panel =
      '<ac:structured-macro ac:name="info"><ac:parameter ac:name="title">Mind</ac:parameter><ac:rich-text-body><p>this</p></ac:rich-text-body></ac:structured-macro>';
    expect(storageToHtml(panel)).toBe('<p><strong>Mind</strong></p><div><p>this</p></div>');
    const tasks =
      '<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Done</ac:task-body></ac:task></ac:task-list>';
    expect(storageToHtml(tasks)).toBe('<ul><li>Done</li></ul>');
    const layout =
      '<ac:layout><ac:layout-section><ac:layout-cell><p>in it</p></ac:layout-cell></ac:layout-section></ac:layout>';
    expect(storageToHtml(layout)).toBe('<div><div><p>in it</p></div></div>');
    const status =
      '<p>It is <ac:structured-macro ac:name="status"><ac:parameter ac:name="colour">Green</ac:parameter><ac:parameter ac:name="title">LIVE</ac:parameter></ac:structured-macro> since <time datetime="2026-01-02" /></p>';
    expect(storageToHtml(status)).toBe('<p>It is LIVE since 2026-01-02</p>');
  });

  it('writes the target of links without text', () => {
    const named =
      '<ac:link><ri:page ri:content-title="Runbook" /><ac:plain-text-link-body><![CDATA[see <here>]]></ac:plain-text-link-body></ac:link>';
    expect(storageToHtml(named)).toBe('see &lt;here&gt;');
    expect(storageToHtml('<ac:link><ri:page ri:content-title="Runbook" /></ac:link>')).toBe('Runbook');
    expect(storageToHtml('<ac:link><ri:attachment ri:filename="plan.pdf" /></ac:link>')).toBe('plan.pdf');
    expect(storageToHtml('<ac:link><ri:user ri:account-id="123" /></ac:link>')).toBe('');
  });

  it('accepts malformed markup', () => {
    expect(storageToHtml('<p>one<ac:structured-macro ac:name="x"><ac:rich-text-body>two')).toContain('two');
    expect(pageHtml('<A>', '<p>x</p>')).toContain('<title>&lt;A&gt;</title>');
  });
});
