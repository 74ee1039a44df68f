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
 * Matches `*` and `?` in one name. Backtracks only to the last `*`, so the time is at most the
 * product of the lengths.
 */
function matchesName(pattern: string, name: string): boolean {
  let [p, n, star, retry] = [0, 0, -1, 0];
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p;
      retry = n;
      p += 1;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p += 1;
      n += 1;
    } else if (star >= 0) {
      retry += 1;
      p = star + 1;
      n = retry;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

/** Matches path segments; `**` matches any number of them. Same algorithm as `matchesName`. */
function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  let [p, n, star, retry] = [0, 0, -1, 0];
  while (n < path.length) {
    const part = pattern[p];
    if (part === '**') {
      star = p;
      retry = n;
      p += 1;
    } else if (part !== undefined && matchesName(part, path[n] ?? '')) {
      p += 1;
      n += 1;
    } else if (star >= 0) {
      retry += 1;
      p = star + 1;
      n = retry;
    } else return false;
  }
  while (pattern[p] === '**') p += 1;
  return p === pattern.length;
}

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
