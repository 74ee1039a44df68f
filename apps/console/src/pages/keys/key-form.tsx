import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { call } from '#api/request.ts';
import type { NewKeyPair } from '#api/types.ts';
import { CollectionChoice } from '#pages/collections/collection-choice.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Checkbox, TextArea, TextField } from '#ui/field.tsx';
import { linesOf } from '#ui/lines-of.ts';

/** Makes a pair of keys. */
export function KeyForm({ onDone }: { readonly onDone: (pair: NewKeyPair) => void }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [isAll, setIsAll] = useState(true);
  const [collections, setCollections] = useState<readonly string[]>([]);
  const [hosts, setHosts] = useState('');
  const [expires, setExpires] = useState('');
  const [perMinute, setPerMinute] = useState('');
  const [mustSign, setMustSign] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      call<NewKeyPair>('POST', '/api/v1/api-keys', {
        body: {
          name,
          allow_all_collections: isAll,
          allowed_collections: isAll ? [] : collections,
          allowed_hosts: linesOf(hosts),
          require_signature: mustSign,
          ...(expires === '' ? {} : { expires_at: new Date(`${expires}T23:59:59`).toISOString() }),
          ...(perMinute === '' ? {} : { rate_limit_per_minute: Number(perMinute) }),
        },
      }),
    onSuccess: (pair) => {
      void queryClient.invalidateQueries({ queryKey: ['api-keys'] });
      onDone(pair);
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate();
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        required
        maxLength={200}
        error={issueOf(save.error, 'name')}
      />
      <Checkbox
        label="May reach all collections, manage keys and read the audit log"
        isChecked={isAll}
        onChange={setIsAll}
      />
      {isAll ? null : (
        <CollectionChoice label="Collections it may reach" chosen={collections} onChange={setCollections} />
      )}
      <TextArea
        label="Hosts of pages that may use the publishable key"
        value={hosts}
        onChange={setHosts}
        rows={2}
        hint="One a line, such as docs.example.com or *.example.com. None: any page."
      />
      <div className="form-grid">
        <TextField
          label="Expires"
          type="date"
          value={expires}
          onChange={setExpires}
          error={issueOf(save.error, 'expires_at')}
        />
        <TextField
          label="Requests a minute"
          type="number"
          min={1}
          value={perMinute}
          onChange={setPerMinute}
          hint="Empty: the installation's."
        />
      </div>
      <Checkbox label="The secret key works with signed requests only" isChecked={mustSign} onChange={setMustSign} />
      {save.error ? <ErrorNotice error={save.error} /> : null}
      <div className="row row-end">
        <Button type="submit" isPrimary isBusy={save.isPending} disabled={name.trim() === ''}>
          Create
        </Button>
      </div>
    </form>
  );
}
