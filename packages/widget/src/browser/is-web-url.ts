/** True for an absolute URL with http or https. */
export function isWebUrl(url: string | null | undefined): url is string {
  return typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
