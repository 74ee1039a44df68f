import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { KeyPair, NewKeyPair } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { CollectionChoice } from '#pages/collections/collection-choice.tsx';
import { type Right, RightsChoice } from '#pages/keys/rights-choice.tsx';
import { useSession } from '#session/session.ts';
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
      label={pair === undefined ? 'Create' : 'Save'}
      isIncomplete={name.trim() === '' || rights.length === 0}
    >
      <NameField value={name} onChange={setName} error={save.error} />
      <Checkbox label="Can access all collections" isChecked={isAll} onChange={setIsAll} />
      {isAll ? null : (
        <CollectionChoice label="Accessible collections" chosen={collections} onChange={setCollections} />
      )}
      <RightsChoice chosen={rights} onChange={setRights} error={issueOf(save.error, 'rights')} />
      {pair?.publishable_reads === 'all' ? (
        <Checkbox
          label="Limit the publishable key to public documents (cannot be undone)"
          isChecked={isPublicOnly}
          onChange={setIsPublicOnly}
        />
      ) : null}
      <TextArea
        label="Allowed hosts for the publishable key"
        value={hosts}
        onChange={setHosts}
        rows={2}
        hint="One per line, for example docs.example.com or *.example.com. Leave empty to allow any host."
        error={issueOf(save.error, 'allowed_hosts')}
      />
      <TextArea
        label="Allowed page URLs"
        value={referers}
        onChange={setReferers}
        rows={2}
        hint="One per line. https://example.com/help allows all pages below it. Leave empty to allow any page."
        error={issueOf(save.error, 'allowed_referers')}
      />
      <TextArea
        label="Allowed IP addresses"
        value={ips}
        onChange={setIps}
        rows={2}
        hint="One address or CIDR range per line, for example 203.0.113.7 or 10.0.0.0/8. They apply to both keys. Leave empty to allow any address."
        error={issueOf(save.error, 'allowed_ips')}
      />
      <div className="form-grid">
        <TextField
          label="Expires"
          type="date"
          value={expires}
          onChange={setExpires}
          error={issueOf(save.error, 'expires_at')}
          hint="Leave empty for no expiry."
        />
        <TextField
          label="Requests per minute"
          type="number"
          min={1}
          value={perMinute}
          onChange={setPerMinute}
          hint="Leave empty for the default."
          error={issueOf(save.error, 'rate_limit_per_minute')}
        />
      </div>
      <Checkbox label="Require signed requests for the secret key" isChecked={mustSign} onChange={setMustSign} />
    </Form>
  );
}
