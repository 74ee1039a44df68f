import type { Action } from '#audit/record-audit';
import type { IdentityProvider, Person, Prisma } from '#gen/prisma/client';
import { useLink } from '#identity/link-store';
import type { Profile } from '#identity/oidc/claims';
import { NO_PASSWORD } from '#identity/passwords';
import { createPerson } from '#identity/person-store';
import { SignInError, type Texts } from '#identity/sign-in-error';

type Db = Prisma.TransactionClient;
type Provider = Pick<
  IdentityProvider,
  'id' | 'teamId' | 'slug' | 'name' | 'issuer' | 'domains' | 'defaultRole' | 'trustsAddresses' | 'allowsOwners'
>;

/** The account of a sign-in, and what was changed for it. */
export interface Account {
  readonly person: Person;
  readonly actions: readonly Pick<Action, 'action' | 'details'>[];
}

const GOOGLE = 'https://accounts.google.com';
const GOOGLE_DOMAINS = ['gmail.com', 'googlemail.com'];

const refused = (texts: Texts) => new SignInError('forbidden', texts);

const noAccount = (email: string) =>
  refused({
    en: `There is no account for ${email}. Ask an admin of your team for an invitation.`,
    de: `Für ${email} gibt es kein Konto. Bitten Sie einen Admin Ihres Teams um eine Einladung.`,
  });

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);

/**
 * Returns the address of a person if the provider vouches for it. Google verifies an address once, but
 * only vouches for its own domains and for those of an organization (`hd`): the address of a former
 * employee can still belong to a private account.
 */
function verifiedEmail({ issuer, trustsAddresses }: Provider, profile: Profile): string | undefined {
  const { email, isEmailVerified, hostedDomain } = profile;
  if (email === undefined || !(isEmailVerified || trustsAddresses)) return undefined;
  const domain = domainOf(email);
  const isVouched = issuer !== GOOGLE || GOOGLE_DOMAINS.includes(domain) || hostedDomain === domain;
  return isVouched ? email : undefined;
}

/** Checks whether a person can sign in with the provider. Throws `forbidden`. */
function requireMaySignIn({ name, allowsOwners }: Provider, { role, status }: Pick<Person, 'role' | 'status'>): void {
  if (status !== 'active') {
    throw refused({
      en: 'Your account is deactivated. Ask an admin of your team.',
      de: 'Ihr Konto ist deaktiviert. Wenden Sie sich an einen Admin Ihres Teams.',
    });
  }
  if (role !== 'owner' || allowsOwners) return;
  throw refused({
    en: `Owners cannot sign in with ${name}. Sign in as before; an owner can allow it in the settings of the identity provider.`,
    de: `Inhaber können sich nicht mit ${name} anmelden. Melden Sie sich wie bisher an; ein Inhaber kann es in den Einstellungen des Identitätsanbieters erlauben.`,
  });
}

/** Finds the existing account of a verified address. Throws `forbidden` if the provider may not sign in to it. */
async function existingAccount(tx: Db, provider: Provider, email: string): Promise<Person | undefined> {
  const person = await tx.person.findUnique({ where: { email } });
  if (person === null) return undefined;
  if (person.teamId !== provider.teamId) throw noAccount(email);
  if (provider.domains.includes(domainOf(email))) return person;
  // SCIM created or took over the account for this identity provider.
  const scim = { personId: person.id, source: provider.slug };
  if ((await tx.scimUser.findUnique({ where: { personId_source: scim } })) !== null) return person;
  throw refused({
    en: `${provider.name} may not sign in to the account of ${email}. Sign in as before, or ask an admin to add your domain to the identity provider.`,
    de: `Mit ${provider.name} ist die Anmeldung am Konto von ${email} nicht erlaubt. Melden Sie sich wie bisher an, oder bitten Sie einen Admin, Ihre Domain beim Identitätsanbieter einzutragen.`,
  });
}

/** Creates the account of an invitation, or of a domain of the provider. Throws `forbidden` without either. */
async function newAccount(tx: Db, provider: Provider, email: string, profile: Profile): Promise<Person> {
  const { teamId, domains, defaultRole } = provider;
  const name = profile.name ?? email;
  const where = { teamId, purpose: 'invitation', email, usedAt: null, expiresAt: { gt: new Date() } } as const;
  const invitation = await tx.accountLink.findFirst({ where });
  const role = invitation?.role ?? (domains.includes(domainOf(email)) ? defaultRole : undefined);
  if (role === undefined) throw noAccount(email);
  requireMaySignIn(provider, { role, status: 'active' });
  if (invitation !== null) await useLink(tx, invitation.id);
  const person = await createPerson(tx, { teamId, email, name, role, passwordHash: NO_PASSWORD });
  if (person === undefined) throw noAccount(email);
  return person;
}

/**
 * Returns the account of a person whom the provider has authenticated. An account belongs to the
 * provider's name for the person (`sub`). An address only finds it the first time, and only if the
 * provider vouches for it. The caller locks the people of the team. Throws `forbidden`.
 */
export async function accountOf(tx: Db, provider: Provider, profile: Profile): Promise<Account> {
  const key = { providerId: provider.id, subject: profile.subject };
  const identity = await tx.personIdentity.findUnique({
    where: { providerId_subject: key },
    include: { person: true },
  });
  if (identity !== null) {
    requireMaySignIn(provider, identity.person);
    return { person: identity.person, actions: [] };
  }
  const email = verifiedEmail(provider, profile);
  if (email === undefined) {
    throw refused({
      en: `${provider.name} did not confirm your email address. Verify it there and sign in again, or ask an admin of your team.`,
      de: `${provider.name} hat Ihre Adresse nicht bestätigt. Bestätigen Sie sie dort und melden Sie sich noch einmal an, oder wenden Sie sich an einen Admin Ihres Teams.`,
    });
  }
  const existing = await existingAccount(tx, provider, email);
  if (existing !== undefined) requireMaySignIn(provider, existing);
  const person = existing ?? (await newAccount(tx, provider, email, profile));
  await tx.personIdentity.create({ data: { ...key, personId: person.id } });
  const details = { provider: provider.id, email };
  return {
    person,
    actions: [
      ...(existing === undefined ? [{ action: 'createPerson', details: { ...details, role: person.role } }] : []),
      { action: 'linkIdentity', details },
    ],
  };
}
