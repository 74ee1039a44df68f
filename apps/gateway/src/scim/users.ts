import { people } from '@lectern/api-spec';
import { AppError, notFound } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';
import type { Person, PersonStatus, Prisma, ScimUser } from '#gen/prisma/client';
import { deleteLinksOf } from '#identity/link-store';
import { NO_PASSWORD } from '#identity/passwords';
import { announcePeople } from '#identity/person-changes';
import { createPerson, lockPeople, requireOwnerLeft, updatePerson } from '#identity/person-store';
import { endSessions } from '#identity/session-store';
import { recordScim, type ScimCall } from '#scim/context';
import { scimError } from '#scim/errors';
import type { Comparison, Filter } from '#scim/filter';
import { applyPatch, type Fields, normalize, type PatchOperation, type Shape } from '#scim/patch';
import { type Page, parseResource, type Resources } from '#scim/resources';

type Db = Prisma.TransactionClient;

/** Groups of all people of a response. */
const MAX_GROUPS = 10_000;

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

const EMAIL_PARTS = { value: 'value', type: 'type', primary: 'primary', display: 'display' };
const NAME_PARTS = { formatted: 'formatted', givenname: 'givenName', familyname: 'familyName' };

/** The attributes that an identity provider can change. Others are ignored. */
export const USER_SHAPE: Shape = {
  username: { name: 'userName', kind: 'simple' },
  externalid: { name: 'externalId', kind: 'simple' },
  displayname: { name: 'displayName', kind: 'simple' },
  active: { name: 'active', kind: 'simple' },
  name: { name: 'name', kind: 'complex', parts: NAME_PARTS },
  emails: { name: 'emails', kind: 'list', parts: EMAIL_PARTS },
};

const text = z.string().trim().max(200);
const userSchema = z.object({
  userName: z.string().trim().toLowerCase().min(1).max(254),
  externalId: z.string().min(1).max(255).optional(),
  displayName: text.optional(),
  active: z.boolean().optional(),
  name: z.object({ formatted: text.optional(), givenName: text.optional(), familyName: text.optional() }).default({}),
  emails: z
    .array(z.object({ value: z.string().optional(), type: z.string().optional(), primary: z.boolean().optional() }))
    .max(20)
    .default([]),
});
type UserFields = z.output<typeof userSchema>;

/** A person with what the identity provider of the token stored. Undefined for a person of another origin. */
type Known = Person & { readonly scim: readonly ScimUser[] };

const addressIn = (value: string | undefined): string | undefined => people.email.safeParse(value).data;

const joined = ({ givenName = '', familyName = '' }: UserFields['name']): string => `${givenName} ${familyName}`.trim();

/** The address that the emails name: the primary one, the one for work, or the first. */
function emailOf({ emails }: UserFields): string | undefined {
  const chosen = emails.findLast(({ primary }) => primary === true) ?? emails.find(({ type }) => type === 'work');
  return addressIn((chosen ?? emails[0])?.value);
}

/** The address of a person. Throws `invalidValue` if neither the emails nor the user name have one. */
function addressOf(after: UserFields, before?: UserFields): string {
  const email = emailOf(after);
  const userName = addressIn(after.userName);
  // A new user name is the new address if the old one was, and the emails did not change.
  const follows = before !== undefined && email === emailOf(before) && email === before.userName;
  const address = follows ? (userName ?? email) : (email ?? userName);
  if (address !== undefined) return address;
  throw scimError('invalidValue', 'emails: must contain an email address, or userName must be one.');
}

/** The name of a person: of the attributes that changed, the most specific one. */
function nameOf(after: UserFields, before?: UserFields): string {
  const { displayName, name } = after;
  const parts = joined(name);
  if (before === undefined) return displayName || name.formatted || parts || after.userName;
  if (displayName && displayName !== before.displayName) return displayName;
  if (name.formatted && name.formatted !== before.name.formatted) return name.formatted;
  return (before.displayName === joined(before.name) && parts) || before.displayName || after.userName;
}

const scimOf = ({ id, email, scim: [stored] }: Known) => stored ?? { personId: id, userName: email, externalId: null };

/** The resource as the identity provider can change it. */
function changeable(person: Known): Fields {
  const { email, name, status, scim } = person;
  const { userName, externalId } = scimOf(person);
  const { givenName, familyName } = scim[0] ?? {};
  return {
    userName,
    ...(externalId === null ? {} : { externalId }),
    displayName: name,
    name: { formatted: name, ...(givenName ? { givenName } : {}), ...(familyName ? { familyName } : {}) },
    emails: [{ value: email, type: 'work', primary: true }],
    active: status === 'active',
  };
}

const include = ({ token: { source } }: ScimCall) => ({ scim: { where: { source } } });

/** The people whom a token can see: active ones, and deactivated ones that its provider manages. */
const visible = ({ token: { teamId, source } }: ScimCall): Prisma.PersonWhereInput => ({
  teamId,
  OR: [{ status: 'active' }, { scim: { some: { source } } }],
});

const NO_MATCH: Prisma.PersonWhereInput = { id: { in: [] } };
const when = (condition: boolean): Prisma.PersonWhereInput => (condition ? {} : NO_MATCH);

function conditionOf({ token: { source } }: ScimCall, { attribute, value }: Comparison): Prisma.PersonWhereInput {
  const given = typeof value === 'string' ? value : undefined;
  const folded = given?.toLowerCase();
  if (attribute === 'active') {
    const wanted = typeof value === 'boolean' ? value : folded === 'true';
    return { status: wanted ? 'active' : 'deactivated' };
  }
  if (attribute === 'emails.type') return when(folded === 'work');
  if (attribute === 'emails.primary') return when(value === true || folded === 'true');
  const conditions: Readonly<Record<string, (wanted: string) => Prisma.PersonWhereInput>> = {
    id: (id) => ({ id }),
    username: () => ({
      OR: [{ scim: { some: { source, userName: folded ?? '' } } }, { email: folded ?? '', scim: { none: { source } } }],
    }),
    externalid: (externalId) => ({ scim: { some: { source, externalId } } }),
    emails: () => ({ email: folded ?? '' }),
    'emails.value': () => ({ email: folded ?? '' }),
    displayname: (name) => ({ name }),
    'name.formatted': (name) => ({ name }),
    'name.givenname': (givenName) => ({ scim: { some: { source, givenName } } }),
    'name.familyname': (familyName) => ({ scim: { some: { source, familyName } } }),
  };
  const condition = Object.hasOwn(conditions, attribute) ? conditions[attribute] : undefined;
  if (condition === undefined) throw scimError('invalidFilter', `${attribute}: cannot be used in a filter of users.`);
  return given === undefined ? NO_MATCH : condition(given);
}

/** The groups of people at the token's provider. */
async function groupsOf(db: Db, { token: { teamId, source }, baseUrl }: ScimCall, ids: readonly string[]) {
  const where = { personId: { in: [...ids] }, group: { teamId, source, origin: 'scim' as const } };
  const group = { select: { name: true } };
  const rows = await db.groupMember.findMany({
    where,
    include: { group },
    orderBy: { groupId: 'asc' },
    take: MAX_GROUPS,
  });
  const byPerson = Map.groupBy(rows, ({ personId }) => personId);
  return (id: string) =>
    (byPerson.get(id) ?? []).map(({ groupId, group: { name } }) => ({
      value: groupId,
      display: name,
      $ref: `${baseUrl}/Groups/${groupId}`,
    }));
}

async function resourcesOf(db: Db, call: ScimCall, found: readonly Known[]): Promise<Fields[]> {
  const groups = await groupsOf(
    db,
    call,
    found.map(({ id }) => id),
  );
  return found.map((person) => ({
    schemas: [USER_SCHEMA],
    id: person.id,
    ...changeable(person),
    groups: groups(person.id),
    meta: {
      resourceType: 'User',
      created: person.createdAt.toISOString(),
      lastModified: person.updatedAt.toISOString(),
      location: `${call.baseUrl}/Users/${person.id}`,
    },
  }));
}

async function requireUser(db: Db, call: ScimCall, id: string): Promise<Known> {
  const found = await db.person.findFirst({ where: { id, ...visible(call) }, include: include(call) });
  if (found === null) throw notFound('user', id);
  return found;
}

const ownersOnly = (name: string, what: string) =>
  new AppError('conflict', `${name} is an owner of the team. Only an owner can ${what}, in Lectern.`);

/** Rejects changes of owners that could give somebody else their rights. Throws `conflict`. */
async function requireMayChange(tx: Db, before: Person, after: { email: string; status: PersonStatus }): Promise<void> {
  if (before.role === 'owner' && after.email !== before.email) {
    throw ownersOnly(before.name, 'change the address');
  }
  if (before.role === 'owner' && before.status === 'deactivated' && after.status === 'active') {
    throw ownersOnly(before.name, 'activate the account');
  }
  await requireOwnerLeft(tx, before, after);
}

const taken = () =>
  scimError('uniqueness', 'userName: the user name or the address is already in use. Use another one.');

/** Signs a person out everywhere and deletes the links of the person. */
async function endAccess(tx: Db, id: string): Promise<void> {
  await endSessions(tx, id);
  await deleteLinksOf(tx, id);
}

/** Stores the fields of a person and what the identity provider needs. */
async function save(tx: Db, call: ScimCall, before: Known, fields: UserFields, previous: UserFields): Promise<void> {
  const { id, teamId } = before;
  const { source } = call.token;
  const status: PersonStatus = (fields.active ?? before.status === 'active') ? 'active' : 'deactivated';
  const after = { email: addressOf(fields, previous), name: nameOf(fields, previous), status };
  await requireMayChange(tx, before, after);
  const { email, name } = after;
  if ((await tx.person.findFirst({ where: { email, id: { not: id } } })) !== null) throw taken();
  await updatePerson(tx, id, { email, name, status });
  if (status === 'deactivated') await endAccess(tx, id);
  await saveScim(tx, { id, teamId }, source, fields);
}

async function saveScim(tx: Db, { id, teamId }: Pick<Person, 'id' | 'teamId'>, source: string, fields: UserFields) {
  const { userName, externalId = null, name } = fields;
  const other = { teamId, source, userName, personId: { not: id } };
  if ((await tx.scimUser.findFirst({ where: other })) !== null) throw taken();
  const stored = { userName, externalId, givenName: name.givenName ?? null, familyName: name.familyName ?? null };
  await tx.scimUser.upsert({
    where: { personId_source: { personId: id, source } },
    create: { personId: id, teamId, source, ...stored },
    update: stored,
  });
}

/** Creates a person, or activates the one that was deleted before. Returns the id. */
async function create(tx: Db, call: ScimCall, fields: UserFields): Promise<string> {
  const { teamId, source } = call.token;
  const [email, name, status] = [addressOf(fields), nameOf(fields), fields.active === false ? 'deactivated' : 'active'];
  const existing = await tx.person.findFirst({ where: { teamId, email }, include: include(call) });
  if (existing !== null) {
    const isDeleted = existing.status === 'deactivated' && existing.scim.length === 0;
    if (!isDeleted) throw taken();
    await requireMayChange(tx, existing, { email, status: status as PersonStatus });
    await updatePerson(tx, existing.id, { name, status: status as PersonStatus });
    await saveScim(tx, existing, source, fields);
    return existing.id;
  }
  const account = { teamId, email, name, role: 'member', passwordHash: NO_PASSWORD } as const;
  const person = await createPerson(tx, account);
  // The address can belong to another team, whose people this one must not learn about.
  if (person === undefined) throw taken();
  if (status === 'deactivated') await updatePerson(tx, person.id, { status });
  await saveScim(tx, person, source, fields);
  return person.id;
}

/** Changes a person in a transaction. Announces it, so that open requests and sessions notice. */
async function change(ctx: Context, call: ScimCall, id: string, next: (before: Fields) => Fields): Promise<Fields> {
  const { teamId } = call.token;
  const resource = await ctx.db.$transaction(async (tx) => {
    await lockPeople(tx, teamId);
    const before = await requireUser(tx, call, id);
    const previous = changeable(before);
    const fields = parseResource(userSchema, next(previous));
    await save(tx, call, before, fields, parseResource(userSchema, previous));
    const after = await requireUser(tx, call, id);
    const changed = Object.entries(changeable(after)).flatMap(([name, value]) =>
      JSON.stringify(value) === JSON.stringify(previous[name]) ? [] : [name],
    );
    const details = { fields: changed, ...(changed.includes('active') ? { status: after.status } : {}) };
    if (changed.length > 0) {
      await recordScim(tx, call, { action: 'scimUpdateUser', resourceType: 'person', resourceId: id, details });
    }
    return (await resourcesOf(tx, call, [after]))[0] ?? {};
  });
  announcePeople(ctx, teamId, [id]);
  return resource;
}

export const users: Resources = {
  list: async ({ db }, call, filter: Filter, { startIndex, count }: Page) => {
    const where = { AND: [visible(call), ...filter.map((comparison) => conditionOf(call, comparison))] };
    const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
    const total = await db.person.count({ where });
    const found = await db.person.findMany({
      where,
      orderBy,
      include: include(call),
      skip: startIndex - 1,
      take: count,
    });
    return { total, resources: await resourcesOf(db, call, found) };
  },

  get: async ({ db }, call, id) => (await resourcesOf(db, call, [await requireUser(db, call, id)]))[0] ?? {},

  create: async (ctx, call, body) => {
    const fields = parseResource(userSchema, normalize(USER_SHAPE, body));
    const { teamId } = call.token;
    const resource = await ctx.db.$transaction(async (tx) => {
      await lockPeople(tx, teamId);
      const id = await create(tx, call, fields);
      await recordScim(tx, call, { action: 'scimCreateUser', resourceType: 'person', resourceId: id });
      return (await resourcesOf(tx, call, [await requireUser(tx, call, id)]))[0] ?? {};
    });
    announcePeople(ctx, teamId, [String(resource.id)]);
    return resource;
  },

  replace: (ctx, call, id, body) =>
    change(ctx, call, id, (before) => {
      const { externalId, active } = before;
      return { ...(externalId === undefined ? {} : { externalId }), active, ...normalize(USER_SHAPE, body) };
    }),

  patch: (ctx, call, id, operations: readonly PatchOperation[]) =>
    change(ctx, call, id, (before) => applyPatch(USER_SHAPE, before, operations)),

  remove: async (ctx, call, id) => {
    const { teamId, source } = call.token;
    await ctx.db.$transaction(async (tx) => {
      await lockPeople(tx, teamId);
      const before = await requireUser(tx, call, id);
      await requireOwnerLeft(tx, before, { status: 'deactivated' });
      await updatePerson(tx, id, { status: 'deactivated' });
      await endAccess(tx, id);
      await tx.groupMember.deleteMany({ where: { personId: id, group: { teamId, source, origin: 'scim' } } });
      await tx.scimUser.deleteMany({ where: { personId: id, source } });
      await recordScim(tx, call, { action: 'scimDeleteUser', resourceType: 'person', resourceId: id });
    });
    announcePeople(ctx, teamId, [id]);
  },
};
