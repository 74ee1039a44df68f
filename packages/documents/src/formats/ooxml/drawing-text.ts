import { childElements, descendants, type MarkupElement } from '#markup/element';

const runText = (element: MarkupElement): string => {
  if (element.name === 't') return element.children.filter((child) => typeof child === 'string').join('');
  if (element.name === 'br') return '\n';
  if (element.name === 'tab') return '\t';
  return childElements(element).map(runText).join('');
};

/** Returns the text of one DrawingML paragraph (a:p). */
export const paragraphText = (paragraph: MarkupElement): string => runText(paragraph).trim();

/**
 * Returns all paragraphs with text in an element (text boxes, diagrams, charts), in document order.
 */
export const drawingParagraphs = (root: MarkupElement): string[] =>
  [...descendants(root)]
    .filter((element) => element.name === 'p')
    .map(paragraphText)
    .filter((text) => text !== '');
