import type { Data } from '@lectern/sdk';
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { lecternWith } from '#api/lectern.ts';
import { t } from '#texts/texts.ts';

type Options = Data<'startPasskey'>['options'];

/** An IPv4 or IPv6 address, which cannot have passkeys. */
const IS_ADDRESS = /^[\d.]+$|^\[/;

/** True if the browser allows passkeys on this page. The server can still disagree about the address. */
export const canUsePasskeys = (): boolean =>
  isSecureContext && !IS_ADDRESS.test(location.hostname) && browserSupportsWebAuthn();

const MESSAGES: Readonly<Record<string, string>> = {
  NotAllowedError: t('session.passkeyErrors.notAllowed'),
  InvalidStateError: t('session.passkeyErrors.invalidState'),
  SecurityError: t('session.passkeyErrors.security'),
};

/** Replaces the errors of browsers, which few people understand. */
function readable(thrown: unknown): Error {
  const { name, message, cause } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const known = MESSAGES[name] ?? (cause instanceof Error ? MESSAGES[cause.name] : undefined);
  return new Error(known ?? message, { cause: thrown });
}

/** A name for a new passkey of this device. */
export function deviceName(): string {
  const systems = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'CrOS', 'Linux'];
  return systems.find((system) => navigator.userAgent.includes(system)) ?? t('session.thisDevice');
}

/** Asks the browser to create a passkey. Throws an error that a person can read. */
export async function createPasskey(options: Options, name: string) {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const created = await startRegistration({ optionsJSON }).catch((thrown: unknown) => {
    throw readable(thrown);
  });
  const { clientDataJSON, attestationObject, transports = [] } = created.response;
  return { name, clientDataJSON, attestationObject, transports };
}

/**
 * Signs in with a passkey that the browser finds. With `isAutofill`, the browser offers passkeys in the
 * email field and waits until the person chooses one. Throws an error that a person can read.
 */
export async function signInWithPasskey({ isAutofill = false } = {}): Promise<void> {
  const { client } = lecternWith();
  const { options } = await client.call('startPasskeySignIn', {});
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const signed = await startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill }).catch((thrown: unknown) => {
    throw readable(thrown);
  });
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = signed.response;
  const body = { credentialId: signed.id, clientDataJSON, authenticatorData, signature, userHandle };
  await client.call('signInWithPasskey', { body });
}

/** A challenge works for five minutes. */
const AUTOFILL_MS = 4 * 60_000;

/**
 * Offers passkeys in the email field of the page until the returned function is called. Calls `onSignIn`
 * when the person has signed in with one.
 */
export function offerAutofill(onSignIn: () => void): () => void {
  let isStopped = false;
  const offer = async () => {
    if (isStopped || !canUsePasskeys() || !(await browserSupportsWebAuthnAutofill())) return;
    // The button reports why passkeys do not work. Without autofill nothing is missing.
    const isSignedIn = await signInWithPasskey({ isAutofill: true }).then(
      () => true,
      () => false,
    );
    if (isSignedIn && !isStopped) onSignIn();
  };
  void offer();
  // A new request cancels the one before.
  const timer = setInterval(() => void offer(), AUTOFILL_MS);
  return () => {
    isStopped = true;
    clearInterval(timer);
    WebAuthnAbortService.cancelCeremony();
  };
}
