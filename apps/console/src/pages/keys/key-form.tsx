import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { KeyPair, NewKeyPair } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { CollectionChoice } from '#pages/collections/collection-choice.tsx';
import { RightsChoice } from '#pages/keys/rights-choice.tsx';
import type { Right } from '#session/rights.ts';
import { useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Checkbox, TextArea, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { linesOf } from '#ui/lines-of.ts';
import { NameField } from '#ui/name-field.tsx';
import { dayOf, endOfDay } from '#ui/time-text.ts';

/** Creates or edits a key pair. Calls `onDone` with the new keys, if any were created. */
export function KeyForm({
  pair,
  onDone,
}: {
  readonly pair?: KeyPair;
  readonly onDone: (created: NewKeyPair | undefined) => void;
}) {
  const own = useSession();
  const [name, setName] = useState(pair?.name ?? '');
  const [isAll, setIsAll] = useState(pair?.allow_all_collections ?? true);
  const [collections, setCollections] = useState<readonly string[]>(pair?.allowed_collections ?? []);
  const [hosts, setHosts] = useState(pair?.allowed_hosts.join('\n') ?? '');
  const [referers, setReferers] = useState(pair?.allowed_referers.join('\n') ?? '');
  const [rights, setRights] = useState<readonly Right[]>(pair?.rights ?? own.rights);
  const [ips, setIps] = useState(pair?.allowed_ips.join('\n') ?? '');
  const [expires, setExpires] = useState(dayOf(pair?.expires_at ?? null));
  const [perMinute, setPerMinute] = useState(pair?.rate_limit_per_minute?.toString() ?? '');
  const [mustSign, setMustSign] = useState(pair?.require_signature ?? false);
  const [isPublicOnly, setIsPublicOnly] = useState(pair?.publishable_reads !== 'all');
  const save = useChange<NewKeyPair | undefined>(
    async () => {
      const body = {
        name,
        allow_all_collections: isAll,
        allowed_collections: isAll ? [] : [...collections],
        allowed_hosts: linesOf(hosts),
        allowed_referers: linesOf(referers),
        rights: [...rights],
        allowed_ips: linesOf(ips),
        require_signature: mustSign,
        ...(isPublicOnly ? { publishable_reads: 'public' as const } : {}),
        expires_at: endOfDay(expires),
        rate_limit_per_minute: perMinute === '' ? null : Number(perMinute),
      };
      if (pair === undefined) return lectern().keys.create(body);
      await lectern().keys.update(pair.id, body);
      return undefined;
    },
    ['api-keys'],
    onDone,
  );
  return (
    <Form
      mutation={save}
      label={t(pair === undefined ? 'keys.create' : 'keys.save')}
      isIncomplete={name.trim() === '' || rights.length === 0}
    >
      <NameField value={name} onChange={setName} error={save.error} />
      <Checkbox label={t('keys.fields.allCollections')} isChecked={isAll} onChange={setIsAll} />
      {isAll ? null : (
        <CollectionChoice label={t('keys.fields.collections')} chosen={collections} onChange={setCollections} />
      )}
      <RightsChoice chosen={rights} onChange={setRights} error={issueOf(save.error, 'rights')} />
      {pair?.publishable_reads === 'all' ? (
        <Checkbox label={t('keys.fields.publicOnly')} isChecked={isPublicOnly} onChange={setIsPublicOnly} />
      ) : null}
      <TextArea
        label={t('keys.fields.hosts')}
        value={hosts}
        onChange={setHosts}
        rows={2}
        hint={t('keys.fields.hostsHint')}
        error={issueOf(save.error, 'allowed_hosts')}
      />
      <TextArea
        label={t('keys.fields.pages')}
        value={referers}
        onChange={setReferers}
        rows={2}
        hint={t('keys.fields.pagesHint')}
        error={issueOf(save.error, 'allowed_referers')}
      />
      <TextArea
        label={t('keys.fields.addresses')}
        value={ips}
        onChange={setIps}
        rows={2}
        hint={t('keys.fields.addressesHint')}
        error={issueOf(save.error, 'allowed_ips')}
      />
      <div className="form-grid">
        <TextField
          label={t('keys.fields.expires')}
          type="date"
          value={expires}
          onChange={setExpires}
          error={issueOf(save.error, 'expires_at')}
          hint={t('keys.fields.expiresHint')}
        />
        <TextField
          label={t('keys.fields.perMinute')}
          type="number"
          min={1}
          value={perMinute}
          onChange={setPerMinute}
          hint={t('keys.fields.perMinuteHint')}
          error={issueOf(save.error, 'rate_limit_per_minute')}
        />
      </div>
      <Checkbox label={t('keys.fields.mustSign')} isChecked={mustSign} onChange={setMustSign} />
    </Form>
  );
}
