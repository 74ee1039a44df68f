import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** How a response differs from a correct one, to attack the server. */
export interface AuthenticatorFault {
  readonly challenge?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly withoutVerification?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  /** A format of the attestation with certificates. */
  readonly format?: string;
}

/** The options that a server sends, as far as they are used here. */
interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** A discoverable credential of the authenticator. */
export interface SoftCredential {
  readonly id: string;
  readonly userHandle: string;
  /** Creates a credential as the browser would return it. */
  readonly created: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: readonly string[];
  };
  /** Signs a challenge. */
  sign(options: RequestOptions, fault?: AuthenticatorFault): SoftAssertion;
}

export interface SoftAssertion {
  readonly credentialId: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle: string;
}

const encode = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

/** CBOR (RFC 8949) of the few types that WebAuthn needs: integers, bytes, text and maps. */
function cbor(value: number | string | Buffer | ReadonlyMap<number | string, unknown> | readonly unknown[]): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
    return Buffer.concat([head(5, value.size), ...entries]);
  }
  const items = value as readonly Buffer[];
  return Buffer.concat([head(4, items.length), ...items.map((item) => cbor(item))]);
}

function head(major: number, length: number): Buffer {
  const top = major << 5;
  if (length < 24) return Buffer.from([top | length]);
  if (length < 256) return Buffer.from([top | 24, length]);
  return Buffer.from([top | 25, length >> 8, length & 0xff]);
}

/** The COSE form of a public key (RFC 9053), for ES256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}

function clientData(type: string, challenge: string, origin: string, fault: AuthenticatorFault): Buffer {
  const data = {
    type: fault.type ?? type,
    challenge: fault.challenge ?? challenge,
    origin: fault.origin ?? origin,
    crossOrigin: fault.crossOrigin ?? false,
  };
  return Buffer.from(JSON.stringify(data));
}

function authenticatorData(rpId: string, flags: number, counter: number, fault: AuthenticatorFault): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(fault.counter ?? counter);
  const verified = fault.withoutVerification === true ? 0 : USER_VERIFIED;
  return Buffer.concat([sha256(fault.rpId ?? rpId), Buffer.from([flags | USER_PRESENT | verified]), count]);
}

/** An authenticator and browser in software, with ES256 and a counter. */
export function createAuthenticator(origin: string) {
  return {
    /** Creates a passkey. */
    create({ challenge, rp, user }: CreationOptions, fault: AuthenticatorFault = {}): SoftCredential {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = randomBytes(32);
      let counter = 1;
      const credential = Buffer.concat([
        authenticatorData(rp.id, HAS_CREDENTIAL, counter, fault),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(publicKey),
      ]);
      const { format = 'none' } = fault;
      const statement = new Map<string, unknown>(format === 'none' ? [] : [['x5c', [Buffer.from('certificate')]]]);
      const attestation = new Map<string, unknown>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', credential],
      ]);
      return {
        id: encode(id),
        userHandle: user.id,
        created: {
          clientDataJSON: encode(clientData('webauthn.create', challenge, origin, fault)),
          attestationObject: encode(cbor(attestation)),
          transports: ['internal'],
        },
        sign: ({ challenge: toSign, rpId }, wrong = {}) => {
          counter += 1;
          const data = authenticatorData(rpId, 0, counter, wrong);
          const client = clientData('webauthn.get', toSign, origin, wrong);
          const signature = createSign('sha256')
            .update(Buffer.concat([data, sha256(client)]))
            .sign(privateKey);
          return {
            credentialId: encode(id),
            clientDataJSON: encode(client),
            authenticatorData: encode(data),
            signature: encode(signature),
            userHandle: wrong.userHandle ?? user.id,
          };
        },
      };
    },
  };
}
