// Passkeys: between the server's JSON and the browser's navigator.credentials.
import { api, ask, Failure } from './api';


/** What goes with a request that a passkey answers. */
export interface Answer {
  handle: string;
  passkey: string;
}

/** Reports whether this browser knows passkeys at all. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis && 'credentials' in navigator;

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

function text(buffer: ArrayBuffer | null): string {
  if (!buffer) return '';
  return btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

interface Named {
  id: string;
  type: PublicKeyCredentialType;
  transports?: AuthenticatorTransport[];
}

const named = (all: Named[] | undefined) => all?.map(({ id, ...rest }) => ({ ...rest, id: bytes(id) })) ?? [];

/** Runs a request of the browser. Whoever closes its window gets a Failure with the code "passkey_cancelled". */
async function attempt(request: Promise<Credential | null>): Promise<PublicKeyCredential> {
  let made: Credential | null;
  try {
    made = await request;
  } catch (error) {
    const code = { InvalidStateError: 'passkey_known', SecurityError: 'passkey_address' }[error instanceof DOMException ? error.name : ''] ?? 'passkey_cancelled';
    throw new Failure('', code, 400);
  }
  if (!(made instanceof PublicKeyCredential)) throw new Failure('', 'passkey_cancelled', 400);
  return made;
}

const common = (made: PublicKeyCredential) => ({
  id: made.id, rawId: text(made.rawId), type: made.type, clientExtensionResults: {}, ...(made.authenticatorAttachment && { authenticatorAttachment: made.authenticatorAttachment }),
});

/** Asks for a passkey that the browser has for this address. */
export async function answerChallenge(): Promise<Answer> {
  const { handle, options } = await ask(api.POST('/api/dashboard/passkeys/challenge'));
  const { publicKey } = options as unknown as { publicKey: PublicKeyCredentialRequestOptions & { challenge: string; allowCredentials?: Named[] } };
  const made = await attempt(navigator.credentials.get({ publicKey: { ...publicKey, challenge: bytes(publicKey.challenge), allowCredentials: named(publicKey.allowCredentials) } }));
  const response = made.response as AuthenticatorAssertionResponse;
  const passkey = JSON.stringify({
    ...common(made),
    response: {
      clientDataJSON: text(response.clientDataJSON), authenticatorData: text(response.authenticatorData), signature: text(response.signature), userHandle: text(response.userHandle),
    },
  });
  return { handle, passkey };
}

/** Signs in with a passkey. */
export const signInByPasskey = async () => ask(api.POST('/api/dashboard/passkeys/sign-in', { body: await answerChallenge() }));

/** Makes a passkey and has the server keep it under a name. */
export async function addPasskey(name: string): Promise<void> {
  const { handle, options } = await ask(api.POST('/api/dashboard/session/passkeys/challenge'));
  const { publicKey } = options as unknown as { publicKey: PublicKeyCredentialCreationOptions & { challenge: string; user: { id: string }; excludeCredentials?: Named[] } };
  const made = await attempt(navigator.credentials.create({
    publicKey: {
      ...publicKey, challenge: bytes(publicKey.challenge), user: { ...publicKey.user, id: bytes(publicKey.user.id) }, excludeCredentials: named(publicKey.excludeCredentials),
    },
  }));
  const response = made.response as AuthenticatorAttestationResponse;
  const passkey = JSON.stringify({
    ...common(made),
    response: { clientDataJSON: text(response.clientDataJSON), attestationObject: text(response.attestationObject), transports: response.getTransports?.() ?? [] },
  });
  await ask(api.POST('/api/dashboard/session/passkeys', { body: { handle, passkey, name } }));
}
