import { z } from 'zod';
import { anyObject, name } from '#fields';

/** Characters of a value in base64url. The largest values are attestations with post-quantum keys. */
const base64url = (max: number, description: string) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'must be base64url without padding')
    .max(max)
    .meta({ description });

/** WebAuthn limits the id of a credential to 1,023 bytes. */
const MAX_CREDENTIAL_ID = 1_364;
const MAX_CLIENT_DATA = 4_096;
const MAX_ATTESTATION = 16_384;
const MAX_AUTHENTICATOR_DATA = 4_096;
const MAX_SIGNATURE = 8_192;
const MAX_USER_HANDLE = 86;
const MAX_TRANSPORTS = 8;
const MAX_TRANSPORT = 32;

const clientDataJSON = base64url(MAX_CLIENT_DATA, 'The data that the browser had signed.');

/** The options for the browser, which define the challenge. */
export const passkeyOptions = z
  .object({
    options: anyObject.meta({
      description: 'The `publicKey` options for `navigator.credentials`, with bytes in base64url. They work once.',
    }),
  })
  .meta({
    id: 'PasskeyOptions',
    description: 'What the browser needs to use a passkey.',
    examples: [{ options: { challenge: 'u4Qm5Qc3…', rpId: 'lectern.example.com', userVerification: 'required' } }],
  });

/** A new credential as the browser returns it. */
export const newPasskey = z
  .strictObject({
    name: name.meta({ description: 'What the person calls the passkey.' }),
    clientDataJSON,
    attestationObject: base64url(MAX_ATTESTATION, 'The credential with its public key.'),
    transports: z
      .array(z.string().min(1).max(MAX_TRANSPORT))
      .max(MAX_TRANSPORTS)
      .default([])
      .meta({ description: 'How the browser can connect to the authenticator.' }),
  })
  .meta({
    id: 'NewPasskey',
    description: 'The response of `navigator.credentials.create`, with bytes in base64url.',
    examples: [
      { name: 'Laptop', clientDataJSON: 'eyJ0eXBlIjoi', attestationObject: 'o2NmbXRkbm9uZQ', transports: ['internal'] },
    ],
  });

/** A signature as the browser returns it. */
export const passkeySignIn = z
  .strictObject({
    credentialId: base64url(MAX_CREDENTIAL_ID, 'The id of the credential.'),
    clientDataJSON,
    authenticatorData: base64url(MAX_AUTHENTICATOR_DATA, 'The data that the authenticator signed.'),
    signature: base64url(MAX_SIGNATURE, 'The signature.'),
    userHandle: base64url(MAX_USER_HANDLE, 'The id of the person that the authenticator stores.'),
  })
  .meta({
    id: 'PasskeySignIn',
    description: 'The response of `navigator.credentials.get`, with bytes in base64url.',
    examples: [
      {
        credentialId: 'u4Qm5Qc3',
        clientDataJSON: 'eyJ0eXBlIjoi',
        authenticatorData: 'SZYN5YgOjGh0',
        signature: 'MEUCIQC5',
        userHandle: 'cGVyXzAx',
      },
    ],
  });
