import type { ConnectionReport, ConnectorTypeName } from '#api/types.ts';
import { SET_UP_GUIDES, type SetUpStep } from '#pages/connectors/set-up-guides.ts';

/** The steps of a guide that fix a failed test. */
interface Fix {
  /** The codes of the report. Default: any. */
  readonly codes?: readonly string[];
  /** The failed check. Default: any. */
  readonly check?: RegExp;
  /** In the order of the guide. */
  readonly steps: readonly string[];
}

const CREDENTIALS = ['auth'];
const ACCESS = ['forbidden'];
const NETWORK = ['rate', 'transient', 'timeout'];
/** What the account can see, or a name that does not exist for it. */
const VISIBLE = ['forbidden', 'gone', 'invalid'];

/** For each type, the first fix that matches. */
const FIXES: Readonly<Partial<Record<ConnectorTypeName, readonly Fix[]>>> = {
  s3: [
    { codes: CREDENTIALS, steps: ['accessKey'] },
    { codes: ACCESS, steps: ['rights'] },
  ],
  google_drive: [
    { check: /^(authorization|files)$/, codes: CREDENTIALS, steps: ['account', 'domain'] },
    { codes: ['auth', 'forbidden'], steps: ['domain'] },
  ],
  gmail: [
    { codes: CREDENTIALS, steps: ['mailbox', 'project', 'delegation'] },
    { codes: ACCESS, steps: ['delegation', 'groups'] },
    { check: /^mailboxes$/, codes: ['invalid'], steps: ['readers'] },
  ],
  confluence: [
    { codes: CREDENTIALS, steps: ['cloud', 'dataCenter'] },
    { codes: VISIBLE, steps: ['account'] },
  ],
  jira: [
    { codes: CREDENTIALS, steps: ['cloud', 'dataCenter'] },
    { check: /^connection$/, codes: ACCESS, steps: ['cloud', 'dataCenter'] },
    { codes: VISIBLE, steps: ['account'] },
  ],
  github: [
    { codes: CREDENTIALS, steps: ['token', 'copy'] },
    { codes: VISIBLE, steps: ['token', 'permissions'] },
  ],
  gitlab: [
    { codes: CREDENTIALS, steps: ['token', 'paths'] },
    { codes: ACCESS, steps: ['token'] },
    { codes: ['gone', 'invalid'], steps: ['token', 'paths'] },
  ],
  microsoft_365: [
    { codes: CREDENTIALS, steps: ['ids', 'secret'] },
    { codes: ACCESS, check: /^(sites and users|files)$/, steps: ['permissions', 'files', 'consent'] },
    { codes: ACCESS, check: /^(teams|channel .*)$/, steps: ['permissions', 'teams', 'consent'] },
    { codes: ACCESS, check: /^(mailboxes|messages|mailbox readers)$/, steps: ['permissions', 'outlook', 'consent'] },
    { codes: ACCESS, steps: ['permissions', 'consent'] },
    // A site, team or mailbox of the settings.
    { codes: ['invalid'], check: /^sites and users$/, steps: ['files', 'consent'] },
    { codes: ['invalid'], check: /^teams$/, steps: ['teams', 'consent'] },
    { codes: ['invalid'], check: /^mailboxes$/, steps: ['outlook', 'consent'] },
  ],
  slack: [
    { codes: CREDENTIALS, steps: ['install'] },
    { codes: ['invalid'], check: /^channels$/, steps: ['invite'] },
    { codes: VISIBLE, steps: ['scopes', 'install'] },
  ],
  notion: [{ codes: [...CREDENTIALS, ...VISIBLE], steps: ['pages'] }],
  salesforce: [
    { codes: CREDENTIALS, steps: ['application', 'user', 'consumerKey'] },
    { codes: ACCESS, steps: ['user'] },
    { check: /^sign-in$/, steps: ['consumerKey', 'operator'] },
  ],
  imap: [
    { codes: CREDENTIALS, steps: ['password'] },
    { codes: NETWORK, steps: ['server'] },
    { codes: ['invalid'], check: /^readers$/, steps: ['mailbox'] },
    { codes: ACCESS, steps: ['mailboxes'] },
  ],
  postgresql: [
    { codes: [...CREDENTIALS, ...ACCESS], steps: ['user'] },
    { codes: NETWORK, steps: ['connections'] },
  ],
  web: [
    { codes: ACCESS, steps: ['permission', 'exclude'] },
    { codes: [...CREDENTIALS, ...NETWORK, 'gone', 'invalid'], steps: ['start'] },
  ],
};

/** All steps that some failure of a type leads to. */
export const repeatableSteps = (type: ConnectorTypeName): readonly string[] => [
  ...new Set((FIXES[type] ?? []).flatMap(({ steps }) => steps)),
];

/** A step of a guide with its number. */
export interface NumberedStep extends SetUpStep {
  readonly number: number;
}

/** The steps of the guide that fix a failed test. */
export function stepsToRepeat(
  type: ConnectorTypeName,
  { success, checks, error }: ConnectionReport,
): readonly NumberedStep[] {
  if (success || error === undefined) return [];
  const failed = checks.find(({ ok }) => !ok)?.name ?? '';
  const fix = (FIXES[type] ?? []).find(
    ({ codes, check }) => (codes?.includes(error.code) ?? true) && (check?.test(failed) ?? true),
  );
  const steps = SET_UP_GUIDES[type]?.steps ?? [];
  return steps
    .map((step, index) => ({ ...step, number: index + 1 }))
    .filter(({ name }) => fix?.steps.includes(name) === true);
}
