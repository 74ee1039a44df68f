/** The red, green and blue parts of a color, each from 0 to 255. */
type Color = readonly [number, number, number];

/** The colors of one theme that follow from the color of a team. */
export interface BrandColors {
  readonly accent: string;
  readonly text: string;
  readonly soft: string;
}

/** The contrast that WCAG 2 asks of text (level AA). */
const MIN_CONTRAST = 4.5;
const STEPS = 100;

/** The colors of the console's themes (styles/tokens.css). */
export const THEMES = {
  light: {
    backgrounds: ['#f6f7f9', '#ffffff'],
    surface: '#ffffff',
    softness: 0.1,
    toward: '#000000',
    texts: ['#ffffff', '#15162b'],
  },
  dark: {
    backgrounds: ['#12141b', '#1a1d27', '#212531'],
    surface: '#1a1d27',
    softness: 0.2,
    toward: '#ffffff',
    texts: ['#15162b', '#ffffff'],
  },
} as const;

type Theme = (typeof THEMES)[keyof typeof THEMES];

function parse(hex: string): Color {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const format = (color: Color): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** Returns a color on the way from one to another. */
function mix(from: string, to: string, share: number): string {
  const [a, b] = [parse(from), parse(to)];
  const part = (index: 0 | 1 | 2) => a[index] + (b[index] - a[index]) * share;
  return format([part(0), part(1), part(2)]);
}

/** The relative luminance of WCAG 2. */
function luminance(color: string): number {
  const [red, green, blue] = parse(color).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Color;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const isReadable = (text: string, background: string) => contrast(text, background) >= MIN_CONTRAST;

function colorsOf({ backgrounds, surface, softness, toward, texts }: Theme, color: string): BrandColors {
  for (let step = 0; step <= STEPS; step += 1) {
    const accent = mix(color, toward, step / STEPS);
    const soft = mix(surface, accent, softness);
    const text = texts.find((candidate) => isReadable(candidate, accent));
    const isSeen = [...backgrounds, soft].every((background) => isReadable(accent, background));
    if (text !== undefined && isSeen) return { accent, text, soft };
  }
  throw new RangeError(`No shade of ${color} is readable.`);
}

/**
 * Returns the colors that follow from the color of a team. Each theme has the shade nearest to it that is
 * readable on all backgrounds, and on which text is readable.
 */
export const themeColors = (color: string): { readonly light: BrandColors; readonly dark: BrandColors } => ({
  light: colorsOf(THEMES.light, color),
  dark: colorsOf(THEMES.dark, color),
});
