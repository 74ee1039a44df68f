import { randomUUID } from 'node:crypto';
import type { PlatformResponse } from '#emulators/platform/platform-server';

// XML 1.0 cannot contain most control characters, so clients use EncodingType=url.
const xml = (text: string) =>
  text.replace(/[&<>"\r]/g, (char) => `&#${char.charCodeAt(0)};`).replace(/(?![\t\n\r])\p{Cc}/gu, '');

/** The content of an element. Undefined omits an entry, a list repeats it. */
export function element(name: string, content: Readonly<Record<string, unknown>> | string): string {
  if (typeof content === 'string') return `<${name}>${xml(content)}</${name}>`;
  const inner = Object.entries(content).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).map((each: unknown) =>
      typeof each === 'object' && each !== null ? element(key, { ...each }) : element(key, String(each)),
    );
  });
  return `<${name}>${inner.join('')}</${name}>`;
}

/** An XML response. */
export function xmlAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): PlatformResponse {
  return {
    status,
    headers: { 'content-type': 'application/xml', 'x-amz-request-id': randomUUID(), ...headers },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
  };
}

/** An error of S3. */
export function s3Error(status: number, code: string, message: string, more: Readonly<Record<string, string>> = {}) {
  return xmlAnswer(status, element('Error', { Code: code, Message: message, ...more, RequestId: randomUUID() }));
}

/** Encodes like Java's URLEncoder, which S3 uses for keys with EncodingType=url. */
export const urlEncoded = (key: string) =>
  encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replaceAll('%20', '+')
    .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
