import { type AnswerNode, parseAnswer } from '#browser/ask/answer-tree';
import type { Answer, Source } from '#browser/ask/conversation';
import { levelNote } from '#browser/ask/level';
import { isWebUrl } from '#browser/is-web-url';
import type { AskTexts } from '#browser/texts/texts';

/** The longest excerpt of a source in characters. */
const MAX_EXCERPT = 300;

/** Shows an answer while it grows. */
export interface AnswerView {
  readonly root: HTMLElement;
  /** Replaces what is shown. */
  show(answer: Answer): void;
}

function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  element.append(...content);
  return element;
}

function linkTo(href: string, content: readonly (Node | string)[]): HTMLAnchorElement {
  const link = create('a', '', ...content);
  link.href = href;
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
  return link;
}

function sourceItem({ title, excerpt, url }: Source): HTMLLIElement {
  const item = create('li');
  // A citation moves the focus here.
  item.tabIndex = -1;
  item.append(
    isWebUrl(url) ? linkTo(url, [title]) : create('span', 'title', title),
    create('div', 'excerpt', excerpt.slice(0, MAX_EXCERPT)),
  );
  return item;
}

/** Creates an empty answer. */
export function createAnswerView(texts: AskTexts): AnswerView {
  const text = create('div', 'text');
  const sources = create('ol', 'sources');
  sources.ariaLabel = texts.sources;
  const note = create('p', 'note');
  const root = create('article', 'answer', text, sources, note);
  root.ariaLabel = texts.answer;
  sources.hidden = true;
  note.hidden = true;
  let shown: Answer['sources'] = [];
  /** The blocks in `text`. Unchanged ones stay, so that a selection in them stays too. */
  let blocks: string[] = [];

  const toNode = (node: AnswerNode): Node | string => {
    if (typeof node === 'string') return node;
    if ('source' in node) return citation(node.source);
    const children = node.children.map(toNode);
    if (node.href !== undefined) return linkTo(node.href, children);
    const element = create(node.tag, '', ...children);
    if (element instanceof HTMLOListElement && node.start !== undefined) element.start = node.start;
    // Wide code scrolls, also with the keyboard.
    if (element instanceof HTMLPreElement) {
      element.tabIndex = 0;
      element.role = 'region';
      element.ariaLabel = texts.code;
    }
    return element;
  };
  const citation = (number: number): HTMLElement => {
    const button = create('button', 'citation', String(number));
    button.type = 'button';
    button.ariaLabel = texts.source(number, shown[number - 1]?.title ?? '');
    button.addEventListener('click', () => {
      const item = sources.children[number - 1];
      if (item instanceof HTMLElement) (item.querySelector('a') ?? item).focus();
    });
    return button;
  };
  const nodesOf = (content: string): readonly AnswerNode[] => {
    try {
      return parseAnswer(content, shown.length);
    } catch {
      // The text is still worth reading if the parser fails.
      return [content];
    }
  };

  return {
    root,
    show: (answer) => {
      if (answer.sources !== shown) {
        shown = answer.sources;
        sources.replaceChildren(...shown.map(sourceItem));
        sources.hidden = shown.length === 0;
        blocks = [];
      }
      const nodes = nodesOf(answer.content);
      const next = nodes.map((node) => JSON.stringify(node));
      const firstNew = next.findIndex((block, index) => block !== blocks[index]);
      const kept = firstNew === -1 ? next.length : firstNew;
      for (const old of [...text.childNodes].slice(kept)) old.remove();
      text.append(...nodes.slice(kept).map(toNode));
      blocks = next;
      note.textContent = levelNote(answer.confidence, shown.length, texts) ?? '';
      note.hidden = note.textContent === '';
    },
  };
}
