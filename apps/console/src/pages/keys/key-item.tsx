import { lectern } from '#api/lectern.ts';
import type { KeyPair } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { ALL_RIGHTS, rightLabel } from '#pages/keys/rights-choice.tsx';
import { useSession } from '#session/session.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { plural } from '#ui/plural.ts';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateText } from '#ui/time-text.ts';

function statusOf({ revokedAt, expires_at: expiresAt }: KeyPair): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) < Date.now() ? 'expired' : 'active';
}

function scopeOf({ allow_all_collections: isAll, allowed_collections: ids }: KeyPair): string {
  return isAll ? 'all collections' : plural(ids.length, 'collection');
}

/**
 * True for pairs created before principals applied to publishable keys: their publishable key reads
 * more than public documents.
 */
const readsEverything = ({ publishable_reads: reads, revokedAt }: KeyPair) => reads === 'all' && revokedAt === null;

/** Describes the scope and limits of a pair. */
function summaryOf(pair: KeyPair): string {
  const hosts = [...pair.allowed_hosts, ...pair.allowed_referers];
  return [
    scopeOf(pair),
    pair.rights.length === ALL_RIGHTS.length ? '' : `rights: ${pair.rights.map(rightLabel).join(', ')}`,
    pair.allowed_ips.length === 0 ? '' : `addresses: ${pair.allowed_ips.join(', ')}`,
    pair.rate_limit_per_minute === null ? '' : `${plural(pair.rate_limit_per_minute, 'request')} per minute`,
    hosts.length === 0 ? '' : `hosts: ${hosts.join(', ')}`,
    pair.require_signature ? 'signed requests only' : '',
    pair.expires_at === null ? '' : `expires ${dateText(pair.expires_at)}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** A key pair with its actions. */
export function KeyItem({
  pair,
  onEdit,
  onRotate,
}: {
  readonly pair: KeyPair;
  readonly onEdit: () => void;
  readonly onRotate: () => void;
}) {
  const isOwn = pair.id === useSession().id;
  const revoke = useChange(() => lectern().keys.revoke(pair.id), ['api-keys']);
  return (
    <li className="card row row-apart">
      <div className="grow">
        <h2>
          {pair.name} <StatusBadge status={statusOf(pair)} /> {isOwn ? <StatusBadge status="current session" /> : null}
        </h2>
        <p className="mono small">
          {pair.secretKeyPrefix} · {pair.publishableKeyPrefix}
        </p>
        {readsEverything(pair) ? (
          <p className="notice notice-warn small" role="note">
            The publishable key can read every document in its scope, including documents that are not public. Edit the
            key pair to limit it to public documents.
          </p>
        ) : null}
        <p className="muted small">
          {summaryOf(pair)} · used <Ago time={pair.lastUsedAt} /> · created <Ago time={pair.createdAt} />
        </p>
      </div>
      {pair.revokedAt === null ? (
        <div className="row">
          <Button onClick={onEdit}>Edit</Button>
          <Button onClick={onRotate}>Rotate</Button>
          <Confirm
            label="Revoke"
            question={`Revoke “${pair.name}”?`}
            done={`“${pair.name}” is revoked.`}
            mutation={revoke}
          >
            <p>
              Both keys stop working within seconds. This cannot be undone.
              {isOwn ? ' You are signed in with this key pair and will be signed out.' : ''}
            </p>
          </Confirm>
        </div>
      ) : null}
    </li>
  );
}
