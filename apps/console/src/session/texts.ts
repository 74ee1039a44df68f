/** The languages of the pages before the sign-in, and of what Lectern writes to people. */
const LANGUAGES = ['en', 'de'] as const;

type Language = (typeof LANGUAGES)[number];

const STORAGE_KEY = 'lectern.language';

const isLanguage = (tag: string | null): tag is Language => LANGUAGES.some((language) => language === tag);

/** Returns the language last chosen in this browser, otherwise the first of the browser's that exists. */
function pageLanguage(): Language {
  const saved = localStorage.getItem(STORAGE_KEY);
  if (isLanguage(saved)) return saved;
  const preferred = navigator.languages.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '');
  return preferred.find(isLanguage) ?? 'en';
}

/** Saves the choice of a person for the pages before the next sign-in. Null: that of the browser. */
export function saveLanguage(chosen: string | null): void {
  if (isLanguage(chosen)) localStorage.setItem(STORAGE_KEY, chosen);
  else localStorage.removeItem(STORAGE_KEY);
}

const ENGLISH = {
  signInTo: (name: string) => `Sign in to ${name}`,
  signIn: 'Sign in',
  orWithPassword: 'Or with an email address and a password:',
  email: 'Email',
  password: 'Password',
  wrongPassword: 'The email address or the password is wrong.',
  signInWith: (provider: string) => `Sign in with ${provider}`,
  providers: 'Identity providers',
  withPasskey: 'Sign in with a passkey',
  noAccount: 'No account, or lost your password or passkey? Ask an admin of your team for a link.',
  withKey: 'Sign in with a secret key',
  passkeysUnavailable: 'Passkeys work only over https with a domain, or on localhost.',
  titles: {
    owner: 'Create the owner account',
    invitation: 'Create your account',
    reset: 'Set a new password or passkey',
  },
  team: (name: string) => `Team ${name}`,
  createAccount: 'Create account',
  setPassword: 'Set password',
  yourName: 'Your name',
  passwordHint: 'At least 12 characters. A sentence is easy to remember.',
  orPasskey:
    'Or use a passkey: your device checks your fingerprint, face or PIN, and there is no password to remember.',
  createWithPasskey: 'Create account with a passkey',
  setPasskey: 'Set a passkey',
  passkey: 'Passkey',
  brokenLink: 'This link does not work',
  brokenLinkReason: 'It was used, has expired or is incomplete. Ask an admin of your team for a new one.',
  toSignIn: 'Go to sign-in',
};

const GERMAN: typeof ENGLISH = {
  signInTo: (name) => `Bei ${name} anmelden`,
  signIn: 'Anmelden',
  orWithPassword: 'Oder mit E-Mail-Adresse und Passwort:',
  email: 'E-Mail',
  password: 'Passwort',
  wrongPassword: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  signInWith: (provider) => `Mit ${provider} anmelden`,
  providers: 'Identitätsanbieter',
  withPasskey: 'Mit einem Passkey anmelden',
  noAccount: 'Kein Konto, oder Passwort oder Passkey verloren? Bitten Sie einen Admin Ihres Teams um einen Link.',
  withKey: 'Mit einem geheimen Schlüssel anmelden',
  passkeysUnavailable: 'Passkeys funktionieren nur über https mit einer Domain oder auf localhost.',
  titles: {
    owner: 'Inhaberkonto anlegen',
    invitation: 'Konto anlegen',
    reset: 'Neues Passwort oder neuen Passkey festlegen',
  },
  team: (name) => `Team ${name}`,
  createAccount: 'Konto anlegen',
  setPassword: 'Passwort festlegen',
  yourName: 'Ihr Name',
  passwordHint: 'Mindestens 12 Zeichen. Ein Satz lässt sich leicht merken.',
  orPasskey: 'Oder mit einem Passkey: Ihr Gerät prüft Fingerabdruck, Gesicht oder PIN, und Sie brauchen kein Passwort.',
  createWithPasskey: 'Konto mit einem Passkey anlegen',
  setPasskey: 'Passkey festlegen',
  passkey: 'Passkey',
  brokenLink: 'Dieser Link funktioniert nicht',
  brokenLinkReason:
    'Er wurde schon benutzt, ist abgelaufen oder unvollständig. Bitten Sie einen Admin Ihres Teams um einen neuen.',
  toSignIn: 'Zur Anmeldung',
};

/** The texts of the pages before the sign-in. */
export type Texts = typeof ENGLISH;

const TEXTS: Readonly<Record<Language, Texts>> = { en: ENGLISH, de: GERMAN };

/** Returns the texts in the language of the page, and sets it for screen readers. The same object for a language. */
export function pageTexts(): Texts {
  const language = pageLanguage();
  document.documentElement.lang = language;
  return TEXTS[language];
}
