import { lectern } from '#api/lectern.ts';
import type { KeyPair } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { ALL_RIGHTS, shortRightName } from '#pages/keys/rights-choice.tsx';
import { useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateText } from '#ui/time-text.ts';

function statusOf({ revokedAt, expires_at: expiresAt }: KeyPair): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) < Date.now() ? 'expired' : 'active';
}

function scopeOf({ allow_all_collections: isAll, allowed_collections: ids }: KeyPair): string {
  return isAll ? t('keys.summary.allCollections') : t('keys.summary.collections', { count: ids.length });
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
    pair.rights.length === ALL_RIGHTS.length
      ? ''
      : t('keys.summary.rights', { rights: pair.rights.map(shortRightName).join(', ') }),
    pair.allowed_ips.length === 0 ? '' : t('keys.summary.addresses', { addresses: pair.allowed_ips.join(', ') }),
    pair.rate_limit_per_minute === null ? '' : t('keys.summary.perMinute', { count: pair.rate_limit_per_minute }),
    hosts.length === 0 ? '' : t('keys.summary.hosts', { hosts: hosts.join(', ') }),
    pair.require_signature ? t('keys.summary.signedOnly') : '',
    pair.expires_at === null ? '' : t('keys.summary.expires', { day: dateText(pair.expires_at) }),
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
            {t('keys.readsEverything')}
          </p>
        ) : null}
        <p className="muted small">
          {summaryOf(pair)} ·{' '}
          <RichText
            name="keys.times"
            elements={{ used: <Ago time={pair.lastUsedAt} />, created: <Ago time={pair.createdAt} /> }}
          />
        </p>
      </div>
      {pair.revokedAt === null ? (
        <div className="row">
          <Button onClick={onEdit}>{t('keys.edit')}</Button>
          <Button onClick={onRotate}>{t('keys.rotate')}</Button>
          <Confirm
            label={t('keys.revoke')}
            question={t('keys.revokeQuestion', { name: pair.name })}
            done={t('keys.revoked', { name: pair.name })}
            mutation={revoke}
          >
            <p>{t(isOwn ? 'keys.revokeOwnEffect' : 'keys.revokeEffect')}</p>
          </Confirm>
        </div>
      ) : null}
    </li>
  );
}
