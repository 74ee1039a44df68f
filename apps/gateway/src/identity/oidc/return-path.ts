const START = '/console';
/** The request of an app can be long (`/console/connect`). */
const MAX_LENGTH = 4_000;
/** Only used to resolve paths. */
const BASE = 'http://installation.invalid';

/**
 * Returns the page to show after a sign-in: a page of the console, or its start for anything else. A
 * link to another site would help phishing, and a link to the API could do something.
 */
export function returnPath(given: string | undefined): string {
  if (given === undefined || given.length > MAX_LENGTH || !URL.canParse(given, BASE)) return START;
  const { origin, pathname, search, hash } = new URL(given, BASE);
  const isPage = pathname === START || pathname.startsWith(`${START}/`);
  return origin === BASE && isPage ? `${pathname}${search}${hash}` : START;
}
