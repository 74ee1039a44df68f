import { descendants, findElement, isElement, type MarkupElement, textOf } from '#markup/element';

/** Elements without visible text. */
const invisible = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'canvas',
  'audio',
  'video',
  'head',
  'button',
  'input',
  'select',
  'textarea',
  'map',
]);

const boilerplateRoles = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'search',
  'complementary',
  'menu',
  'menubar',
  'dialog',
]);

/**
 * Words in a class or id that mark boilerplate. They count only for elements that are mostly links.
 */
const boilerplateNames =
  /(?:^|[\s_-])(?:nav|navbar|navigation|menu|sidebar|breadcrumbs?|cookie|footer|toc|share|social|related|pagination|skip)(?:$|[\s_-])/i;

const visibleLength = (element: MarkupElement): number => textOf(element).replace(/\s+/g, ' ').length;

const isMostlyLinks = (element: MarkupElement): boolean => {
  let linked = 0;
  for (const inner of descendants(element)) if (inner.name === 'a') linked += visibleLength(inner);
  return linked > visibleLength(element) / 2;
};

/** Returns true for elements that a browser does not show. */
export const isInvisible = ({ name, attributes }: MarkupElement): boolean =>
  invisible.has(name) ||
  'hidden' in attributes ||
  attributes['aria-hidden'] === 'true' ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style ?? '');

/** Returns true for navigation, page headers and footers, sidebars and cookie notices. */
export const isBoilerplate = (element: MarkupElement): boolean => {
  const { name, attributes } = element;
  if (name === 'nav' || name === 'footer' || name === 'aside') return true;
  if (boilerplateRoles.has(attributes.role ?? '')) return true;
  if (name === 'header') return findElement(element, 'nav') !== undefined || isMostlyLinks(element);
  return boilerplateNames.test(`${attributes.class ?? ''} ${attributes.id ?? ''}`) && isMostlyLinks(element);
};

/** The share of a page's text that <main> or <article> must contain to replace the page. */
const mainShare = 0.3;

/**
 * Returns the main content of a page: <main>, else the only <article>, if it contains enough of the
 * text; else the body.
 */
export const mainContent = (root: MarkupElement): MarkupElement => {
  const body = findElement(root, 'body') ?? root;
  const elements = [...descendants(body)];
  const main = elements.find(({ name, attributes }) => name === 'main' || attributes.role === 'main');
  const articles = elements.filter(({ name }) => name === 'article');
  const candidate = main ?? (articles.length === 1 ? articles[0] : undefined);
  if (!candidate) return body;
  const visible = body.children.filter((child) => !isElement(child) || (!isInvisible(child) && !isBoilerplate(child)));
  return visibleLength(candidate) >= mainShare * visibleLength({ ...body, children: visible }) ? candidate : body;
};
