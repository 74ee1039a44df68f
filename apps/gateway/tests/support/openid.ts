import { type BrowserResponse, createTestBrowser, type TestBrowser } from '@lectern/testing';
import { type OpenIdProvider, type OpenIdProviderOptions, startOpenIdProvider } from '@lectern/testing/openid-provider';
import type { SendInit, TestGateway } from './gateway.ts';

/** An OpenID provider that a team of the gateway uses. */
export interface TestProvider extends OpenIdProvider {
  /** The id of the identity provider. */
  readonly id: string;
  /** Starts a sign-in and stops at the page of the provider, or where the sign-in ended. */
  start(browser: TestBrowser, returnTo?: string): Promise<BrowserResponse>;
  /** Signs a person in. Returns the last response. */
  signIn(subject: string, browser?: TestBrowser, returnTo?: string): Promise<BrowserResponse>;
  /** Signs a person in at the provider, and returns the URL of the callback without opening it. */
  callbackFor(subject: string, browser: TestBrowser): Promise<URL>;
}

const isCallback = ({ pathname }: URL) => pathname.endsWith('/callback');
const isConsole = ({ pathname }: URL) => pathname.startsWith('/console');

/** Starts a provider and adds it to the first team of the gateway. */
export async function addProvider(
  gateway: TestGateway,
  settings: Readonly<Record<string, unknown>> = {},
  { headers, key, ...options }: OpenIdProviderOptions & Pick<SendInit, 'headers' | 'key'> = {},
): Promise<TestProvider> {
  const provider = await startOpenIdProvider(options);
  const { issuer, clientId, clientSecret } = provider;
  const slug = `p${new URL(issuer).port}`;
  const json = {
    ...{ name: 'Acme login', slug, issuer, clientId, clientSecret, scopes: ['profile', 'email', 'groups'] },
    ...settings,
  };
  const init = { json, ...(headers === undefined ? {} : { headers }), ...(key === undefined ? {} : { key }) };
  const created = await gateway.send('POST', '/api/v1/identity-providers', init);
  if (created.status !== 201) throw new Error(created.text);
  const { id, redirectUri, postLogoutRedirectUri, backChannelLogoutUri } = created.json.data;
  provider.register({ redirectUri, postLogoutRedirectUri, backChannelLogoutUri });

  const start: TestProvider['start'] = (browser, returnTo) => {
    const url = new URL(`/sign-in/${id}`, gateway.url);
    if (returnTo !== undefined) url.searchParams.set('returnTo', returnTo);
    return browser.open(url, isConsole);
  };
  const asPerson = (page: BrowserResponse, subject: string) => {
    const url = new URL(page.url);
    url.searchParams.set('person', subject);
    return url;
  };
  const isSignInPage = ({ url }: BrowserResponse) => url.pathname.startsWith('/interaction/');
  return {
    ...provider,
    id,
    start,
    signIn: async (subject, browser = createTestBrowser(), returnTo) => {
      const page = await start(browser, returnTo);
      return isSignInPage(page) ? browser.open(asPerson(page, subject), isConsole) : page;
    },
    callbackFor: async (subject, browser) => {
      const page = await browser.open(new URL(`/sign-in/${id}`, gateway.url), isCallback);
      const last = isSignInPage(page) ? await browser.open(asPerson(page, subject), isCallback) : page;
      return new URL(String(last.headers.get('location')));
    },
  };
}
