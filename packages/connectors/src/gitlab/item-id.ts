/** The parts of a project that can be read, in the order of a listing. */
export const PARTS = ['repository', 'issues', 'merge_requests', 'wiki'] as const;
export type Part = (typeof PARTS)[number];

// https://docs.gitlab.com/user/reserved_names/#limitations-on-usernames-project-and-group-names-and-slugs
const SEGMENT = '(?!\\.{1,2}(?:[/:#!]|$))[A-Za-z0-9_.][A-Za-z0-9_.-]*';

/** The full path of a project, for example `acme/platform/docs`. */
export const PROJECT_PATH = new RegExp(`^${SEGMENT}(?:/${SEGMENT})+$`);
/** The full path of a group. */
export const GROUP_PATH = new RegExp(`^${SEGMENT}(?:/${SEGMENT})*$`);

const START = new RegExp(`^${SEGMENT}(?:/${SEGMENT})+`);
const NUMBER = /^[1-9]\d{0,9}$/;
const WIKI = '/-/wikis/';

/** An item by its name within a project. Issues and merge requests have numbers. */
export type ItemName = { readonly project: string } & (
  | { readonly part: 'repository'; readonly path: string }
  | { readonly part: 'issues' | 'merge_requests'; readonly number: number }
  | { readonly part: 'wiki'; readonly slug: string }
);

/** Returns an id: `group/project:path`, `group/project#1`, `group/project!1` or `group/project/-/wikis/slug`. */
export function itemId(name: ItemName): string {
  switch (name.part) {
    case 'repository':
      return `${name.project}:${name.path}`;
    case 'issues':
      return `${name.project}#${name.number}`;
    case 'merge_requests':
      return `${name.project}!${name.number}`;
    case 'wiki':
      return `${name.project}${WIKI}${name.slug}`;
  }
}

/** Parses an id; undefined if it is malformed. */
export function parseItemId(id: string): ItemName | undefined {
  const project = START.exec(id)?.[0];
  if (project === undefined) return undefined;
  const rest = id.slice(project.length);
  if (rest.startsWith(WIKI)) {
    const slug = rest.slice(WIKI.length);
    return slug === '' ? undefined : { project, part: 'wiki', slug };
  }
  const text = rest.slice(1);
  if (text === '') return undefined;
  if (rest.startsWith(':')) return { project, part: 'repository', path: text };
  if (!NUMBER.test(text)) return undefined;
  if (rest.startsWith('#')) return { project, part: 'issues', number: Number(text) };
  return rest.startsWith('!') ? { project, part: 'merge_requests', number: Number(text) } : undefined;
}

const PAGE = /^(.+?)\/-\/(issues|work_items|merge_requests|wikis)\/([^?#]+)/;

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the id in the address of an issue, merge request or wiki page, or the name itself. `base`
 * is the address of the instance.
 */
export function idIn(name: string, base: string): string {
  const text = name.trim();
  const start = text.startsWith(`${base}/`) ? `${base}/` : /^https?:\/\/[^/]+\//i.exec(text)?.[0];
  const [, project, page, rest] = start === undefined ? [] : (PAGE.exec(text.slice(start.length)) ?? []);
  if (project === undefined || rest === undefined) return text;
  if (page === 'wikis') return `${project}${WIKI}${decoded(rest) ?? rest}`;
  const number = rest.split('/')[0] ?? '';
  return `${project}${page === 'merge_requests' ? '!' : '#'}${number}`;
}
