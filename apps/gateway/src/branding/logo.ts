import { branding } from '@lectern/api-spec';
import { invalidRequest } from '@lectern/service-kit';
import { imageSize } from 'image-size';

const TYPES: Readonly<Record<string, string>> = { png: 'image/png', webp: 'image/webp', svg: 'image/svg+xml' };

/** An image that was checked. */
export interface Logo {
  readonly bytes: Buffer<ArrayBuffer>;
  /** The media type. */
  readonly type: string;
}

const invalid = (message: string) => invalidRequest([{ path: 'logo', message }]);

/**
 * What an SVG must not contain. Browsers run nothing of it anyway: pages show it as an image, and its
 * own address has a policy that allows nothing. An exported logo has none of this.
 */
const FORBIDDEN_IN_SVG: readonly (readonly [RegExp, string])[] = [
  [/<!(?:DOCTYPE|ENTITY)/i, 'a DOCTYPE'],
  [
    /<\s*(?:[\w.-]+:)?(?:script|foreignObject|iframe|embed|object|audio|video|handler|set|animate\w*)\b/i,
    'scripts, animations or embedded pages',
  ],
  [/\son[a-z]+\s*=/i, 'event handlers'],
  [/<\?xml-stylesheet|@import/i, 'style sheets of other addresses'],
  [/(?:href|src)\s*=(?!\s*["']?\s*(?:#|data:image\/(?:png|jpeg|webp);))/i, 'links'],
  [/url\((?!\s*["']?\s*#)/i, 'links to other addresses'],
  [/javascript:/i, 'scripts'],
];

function checkSvg(bytes: Buffer): void {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('must be UTF-8 if it is an SVG');
  }
  const found = FORBIDDEN_IN_SVG.find(([pattern]) => pattern.test(text));
  if (found !== undefined) throw invalid(`must not contain ${found[1]}; export the image as a plain SVG, or use a PNG`);
}

/** Reads the type and the size of an image from its header. */
function measure(bytes: Buffer): {
  readonly kind: string | undefined;
  readonly width: number;
  readonly height: number;
} {
  try {
    const { type, width, height } = imageSize(bytes);
    return { kind: type, width, height };
  } catch {
    throw invalid('must be a PNG, WebP or SVG image with a size');
  }
}

/** Decodes and checks a logo. Throws `invalid_request`. */
export function readLogo(base64: string): Logo {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > branding.MAX_LOGO_BYTES) {
    throw invalid(`must have at most ${branding.MAX_LOGO_BYTES / 1024} KiB; save it smaller`);
  }
  const { kind, width, height } = measure(bytes);
  const type = Object.hasOwn(TYPES, kind ?? '') ? TYPES[kind ?? ''] : undefined;
  if (type === undefined) throw invalid('must be a PNG, WebP or SVG image');
  const pixels = branding.MAX_LOGO_PIXELS;
  if (!(width >= 1 && height >= 1 && width <= pixels && height <= pixels)) {
    throw invalid(`must have at most ${pixels} × ${pixels} pixels; save it smaller`);
  }
  if (kind === 'svg') checkSvg(bytes);
  return { bytes, type };
}
