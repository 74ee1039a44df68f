import { createECDH } from 'node:crypto';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { COSEALG, decodeAttestationObject, decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import type { Passkey, Prisma } from '#gen/prisma/client';
import { type Ceremony, CHALLENGE_MS, createChallenge, takeChallenge } from '#identity/challenge-store';
import type { NewPasskey } from '#identity/passkey-store';
import type { RelyingParty } from '#identity/relying-party';

type Db = Prisma.TransactionClient;

const RP_NAME = 'Lectern';
/** What authenticators support today. */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];
const KEY_TYPE = 'public-key';
/** The limit of WebAuthn (5.8.3). */
const MAX_CREDENTIAL_ID_BYTES = 1_023;

/** Bytes in base64url, as browsers return them. */
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** What an authenticator stores to identify a person. Ids contain nothing about the person. */
const handleOf = (personId: string) => new Uint8Array(Buffer.from(personId));

/** The account that a new passkey belongs to. */
export interface PasskeyOwner {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** Returns the options to create a passkey. Authenticators that have one of `existing` create no second one. */
export async function registrationOptions(
  db: Db,
  rp: RelyingParty,
  ceremony: Ceremony,
  { id, email, name }: PasskeyOwner,
  existing: readonly Passkey[],
): Promise<object> {
  return generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: rp.id,
    userID: handleOf(id),
    userName: email,
    userDisplayName: name,
    challenge: await createChallenge(db, ceremony),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    // The person signs in without an address, so the authenticator must find the passkey on its own.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: existing.map(({ credentialId, transports }) => ({ id: textOf(credentialId), transports })),
  });
}

/**
 * True for a credential without certificates. Lectern asks for none, and checking one would request
 * revocation lists from addresses that the client chose.
 */
function hasNoCertificates(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(bytesOf(attestationObject));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/**
 * Uses up the challenge that the browser signed, whatever else is wrong with its response. Returns
 * undefined if it does not belong to the ceremony.
 */
async function takeSigned(db: Db, ceremony: Ceremony, clientDataJSON: string): Promise<string | undefined> {
  let challenge: string;
  try {
    ({ challenge } = decodeClientDataJSON(clientDataJSON));
  } catch {
    return undefined;
  }
  return (await takeChallenge(db, ceremony, challenge)) ? challenge : undefined;
}

/** The response of a browser that created a passkey. */
export interface Registration {
  readonly name: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
  readonly transports: readonly string[];
}

/** Checks a new passkey. Returns undefined if it is invalid. */
export async function verifyRegistration(
  db: Db,
  rp: RelyingParty,
  ceremony: Ceremony,
  { name, clientDataJSON, attestationObject, transports }: Registration,
): Promise<NewPasskey | undefined> {
  const expectedChallenge = await takeSigned(db, ceremony, clientDataJSON);
  if (expectedChallenge === undefined) return undefined;
  try {
    if (!hasNoCertificates(attestationObject)) return undefined;
    // The library requires the id, but only compares it with itself. The credential contains the real one.
    const id = '-';
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: KEY_TYPE,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified || registrationInfo === undefined) return undefined;
    const { id: credential, publicKey, counter } = registrationInfo.credential;
    const credentialId = bytesOf(credential);
    if (credentialId.length > MAX_CREDENTIAL_ID_BYTES) return undefined;
    return { name, transports, counter, credentialId, publicKey: new Uint8Array(publicKey) };
  } catch {
    // The library throws errors for invalid responses.
    return undefined;
  }
}

/** Returns the options to sign in with any passkey of this installation. They reveal no accounts. */
export async function authenticationOptions(db: Db, rp: RelyingParty, ceremony: Ceremony): Promise<object> {
  return generateAuthenticationOptions({
    rpID: rp.id,
    challenge: await createChallenge(db, ceremony),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
}

/** The response of a browser that used a passkey. */
export interface Assertion {
  readonly credentialId: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle: string;
}

/**
 * Checks the signature of a passkey. Returns its new counter, or undefined if it is invalid. Without a
 * passkey it does the same work, so that the time does not reveal which credentials exist.
 */
export async function verifyAssertion(
  db: Db,
  rp: RelyingParty,
  ceremony: Ceremony,
  { credentialId, clientDataJSON, authenticatorData, signature, userHandle }: Assertion,
  passkey: Passkey | undefined,
): Promise<number | undefined> {
  const expectedChallenge = await takeSigned(db, ceremony, clientDataJSON);
  if (expectedChallenge === undefined) return undefined;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: KEY_TYPE,
        response: { clientDataJSON, authenticatorData, signature, userHandle },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      // Also rejects a counter that did not grow: the credential could be a copy.
      credential: {
        id: credentialId,
        publicKey: passkey === undefined ? UNUSED_KEY : new Uint8Array(passkey.publicKey),
        counter: Number(passkey?.counter ?? 0),
      },
      requireUserVerification: true,
    });
    const isOwner = passkey !== undefined && userHandle === textOf(handleOf(passkey.personId));
    return verified && isOwner ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws errors for invalid responses.
    return undefined;
  }
}

/** The COSE form of an ES256 key whose private key is forgotten. */
function createUnusedKey(): Uint8Array<ArrayBuffer> {
  const point = createECDH('prime256v1').generateKeys();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const head = Buffer.from('a5010203262001215820', 'hex');
  return new Uint8Array(Buffer.concat([head, x, Buffer.from('225820', 'hex'), y]));
}
const UNUSED_KEY = createUnusedKey();
