import type { Schemas } from '@lectern/sdk';
import { useSyncExternalStore } from 'react';
import { lectern, lecternWith } from '#api/lectern.ts';
import { themeColors } from '#branding/colors.ts';

export type Branding = Schemas['Branding'];

const OWN_NAME = 'Lectern';
const NONE: Branding = { name: null, logoUrl: null, accent: null };
/** The page appears without the branding if it takes longer. */
const TIMEOUT_MS = 3_000;

const listeners = new Set<() => void>();
let current: Branding | undefined;
/** The title of the page without the name. */
let page = '';

/** The branding of the page. Undefined until it is known. */
export const useBranding = (): Branding | undefined => useSyncExternalStore(subscribe, () => current);

/** The name that the page shows. */
export const useBrandName = (): string => useBranding()?.name ?? OWN_NAME;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Sets the title of the browser's tab. */
export function setTitle(title: string): void {
  page = title;
  document.title = `${title} · ${current?.name ?? OWN_NAME}`;
}

function setAccent(accent: string | null): void {
  const { style } = document.documentElement;
  const themes = accent === null ? undefined : themeColors(accent);
  for (const theme of ['light', 'dark'] as const) {
    for (const use of ['accent', 'text', 'soft'] as const) {
      const value = themes?.[theme][use];
      if (value === undefined) style.removeProperty(`--brand-${theme}-${use}`);
      else style.setProperty(`--brand-${theme}-${use}`, value);
    }
  }
}

const ownIcon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.getAttribute('href') ?? '';

function setIcon(logoUrl: string | null): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon === null) return;
  icon.href = logoUrl ?? ownIcon;
  // A logo has another type, which browsers find out.
  if (logoUrl === null) icon.type = 'image/svg+xml';
  else icon.removeAttribute('type');
}

/** Shows a branding on the page. */
export function showBranding(branding: Branding): void {
  current = branding;
  setAccent(branding.accent);
  setIcon(branding.logoUrl);
  if (page !== '') setTitle(page);
  for (const listener of listeners) listener();
}

/** Reads the branding and shows it: that of the user's team, or that of the sign-in page. */
export async function loadBranding(isSignedIn: boolean): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const read = isSignedIn
    ? lectern().branding.get({ signal })
    : lecternWith().client.call('getSignInBranding', {}, { signal });
  // A page without it works too.
  showBranding(await read.catch(() => NONE));
}
