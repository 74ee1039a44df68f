/** The colors of the widget: always light or dark, those of the page, or those of the system. */
type Scheme = 'light' | 'dark' | 'page' | 'system';

const COLOR = /^color\(srgb (\S+) (\S+) (\S+?)(?: \/ (\S+))?\)$/;

/** Backgrounds with less opacity show mostly what is behind them. */
const MIN_ALPHA = 0.5;

/** The relative luminance (WCAG) at which black and white text have the same contrast. */
const MIDDLE = 0.179;

const linear = (value: number) => (value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Returns whether a color of the form `color(srgb …)` is dark. Undefined if it is transparent or invalid. */
export function isDark(color: string): boolean | undefined {
  const [, red, green, blue, alpha = '1'] = COLOR.exec(color) ?? [];
  const parts = [red, green, blue].map(Number);
  if (parts.some(Number.isNaN) || !(Number(alpha) >= MIN_ALPHA)) return undefined;
  const [r = 0, g = 0, b = 0] = parts.map((part) => linear(Math.min(Math.max(part, 0), 1)));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < MIDDLE;
}

/** The element and all its ancestors outside its shadow trees. */
function* ancestorsOf(element: Element): Generator<Element> {
  let at: Node | null = element.parentNode;
  while (at !== null) {
    if (at instanceof Element) yield at;
    at = at instanceof ShadowRoot ? at.host : at.parentNode;
  }
}

/** Returns the scheme that fits the page: its `color-scheme`, or else the nearest background. `probe` is a hidden element. */
function pageScheme(host: Element, probe: HTMLElement): Scheme {
  if (getComputedStyle(host).colorScheme !== 'normal') return 'page';
  if (document.querySelector('meta[name="color-scheme" i]') !== null) return 'page';
  for (const ancestor of ancestorsOf(host)) {
    const background = getComputedStyle(ancestor).backgroundColor;
    // Converts every color space to sRGB.
    probe.style.backgroundColor = `color-mix(in srgb, ${background}, ${background})`;
    const dark = isDark(getComputedStyle(probe).backgroundColor);
    if (dark !== undefined) return dark ? 'dark' : 'light';
  }
  return 'system';
}

/** Keeps the colors of the widget like the attribute `theme`, or like the page. Returns a function that stops it. */
export function followScheme(host: Element, root: HTMLElement): () => void {
  const probe = document.createElement('span');
  probe.hidden = true;
  root.append(probe);
  const update = () => {
    const theme = host.getAttribute('theme')?.trim();
    root.dataset.scheme = theme === 'light' || theme === 'dark' ? theme : pageScheme(host, probe);
  };
  // Pages switch with an attribute of one of these elements.
  const observer = new MutationObserver(update);
  for (const element of [host, ...ancestorsOf(host)]) observer.observe(element, { attributes: true });
  // A background can change slowly, and style sheets load late.
  const end = new AbortController();
  document.addEventListener('transitionend', update, { signal: end.signal });
  window.addEventListener('load', update, { signal: end.signal });
  host.addEventListener('focusin', update, { signal: end.signal });
  update();
  return () => {
    end.abort();
    observer.disconnect();
    probe.remove();
  };
}
