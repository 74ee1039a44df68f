/** True for paths to read. */
export type PathFilter = (path: string) => boolean;

const MAX_ALTERNATIVES = 64;

/** Expands `a{b,c}` to `ab` and `ac`, also nested, up to 64 alternatives. */
function expandBraces(pattern: string): readonly string[] {
  let open = [pattern];
  for (;;) {
    const next = open.flatMap((text) => {
      const found = /\{([^{}]*)\}/.exec(text);
      if (found === null) return [text];
      const [whole, inner = ''] = found;
      const before = text.slice(0, found.index);
      const after = text.slice(found.index + whole.length);
      return inner.split(',').map((choice) => `${before}${choice}${after}`);
    });
    if (next.length > MAX_ALTERNATIVES || next.every((text, at) => text === open[at])) return open;
    open = next;
  }
}

/**
 * Matches a pattern in which `wildcard` stands for any number of parts. Backtracks only to the last
 * wildcard, so the time is at most the product of the lengths.
 */
function matches(
  pattern: ArrayLike<string>,
  parts: ArrayLike<string>,
  wildcard: string,
  matchesPart: (pattern: string, part: string) => boolean,
): boolean {
  let [p, n, last, retry] = [0, 0, -1, 0];
  while (n < parts.length) {
    const expected = pattern[p];
    if (expected === wildcard) {
      last = p;
      retry = n;
      p += 1;
    } else if (expected !== undefined && matchesPart(expected, parts[n] ?? '')) {
      p += 1;
      n += 1;
    } else if (last >= 0) {
      retry += 1;
      p = last + 1;
      n = retry;
    } else return false;
  }
  while (pattern[p] === wildcard) p += 1;
  return p === pattern.length;
}

/** Matches `*` and `?` in one name. */
const matchesName = (pattern: string, name: string): boolean =>
  matches(pattern, name, '*', (expected, unit) => expected === '?' || expected === unit);

/** Matches path segments; `**` matches any number of them. */
const matchesPath = (pattern: readonly string[], path: readonly string[]): boolean =>
  matches(pattern, path, '**', matchesName);

function compile(pattern: string): PathFilter {
  const anchored = pattern.replace(/^\.?\/+/, '');
  const bare = anchored.replace(/\/+$/, '');
  // No wildcard: a file, or everything in a folder.
  if (!/[*?{]/.test(bare)) return (path) => bare === '' || path === bare || path.startsWith(`${bare}/`);
  const folder = anchored.endsWith('/') ? '/**' : '';
  const anywhere = !bare.includes('/') && bare === pattern ? '**/' : '';
  const patterns = expandBraces(`${anywhere}${bare}${folder}`).map((text) => text.split('/'));
  return (path) => {
    const parts = path.split('/');
    return patterns.some((parts_) => matchesPath(parts_, parts));
  };
}

/**
 * Creates a filter from prefixes (`docs`, `docs/guide.md`) and globs (`docs/**`, `*.md` in any
 * folder, `src/{a,b}/?.ts`). A pattern with `!` excludes paths. Without patterns, or with only `!`
 * patterns, all other paths match.
 */
export function createPathFilter(patterns: readonly string[] = []): PathFilter {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(compile);
  const unwanted = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => compile(pattern.slice(1)));
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path));
}
