import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { NewScimToken, ScimToken } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { Listing } from '#ui/listing.tsx';
import { Sheet } from '#ui/sheet.tsx';

function ScimTokenForm({ onDone }: { readonly onDone: (created: NewScimToken) => void }) {
  const [name, setName] = useState('');
  const [provider, setProvider] = useState('');
  const create = useChange(() => lectern().people.createScimToken({ name, provider }), ['scim-tokens'], onDone);
  return (
    <Form mutation={create} label="Create token" isIncomplete={name.trim() === '' || provider === ''}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        placeholder="Okta provisioning"
        error={issueOf(create.error, 'name')}
        required
        autoFocus
      />
      <TextField
        label="Short name of the provider"
        value={provider}
        onChange={setProvider}
        placeholder="okta"
        hint="Names its groups in permissions, for example group:okta/Sales. Use the short name of the same provider for sign-in."
        error={issueOf(create.error, 'provider')}
        spellCheck={false}
        required
      />
    </Form>
  );
}

function ScimTokenItem({ token: { id, name, provider, createdAt, lastUsedAt } }: { readonly token: ScimToken }) {
  const revoke = useChange(() => lectern().people.deleteScimToken(id), ['scim-tokens']);
  return (
    <li className="card row row-apart">
      <div className="grow">
        <h3>{name}</h3>
        <p className="muted small">
          {provider} · used <Ago time={lastUsedAt} /> · created <Ago time={createdAt} />
        </p>
      </div>
      <Confirm label="Revoke" question={`Revoke ${name}?`} done={`${name} is revoked.`} mutation={revoke}>
        <p>{provider} can no longer change people and groups. What it created stays.</p>
      </Confirm>
    </li>
  );
}

/** The tokens with which identity providers manage people and groups. */
export function ScimTokens() {
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<NewScimToken>();
  const tokens = usePaged(['scim-tokens'], (page, options) =>
    lectern().people.scimTokens({ page, limit: 20 }, options),
  );
  return (
    <section className="stack" aria-label="SCIM">
      <div className="row row-apart">
        <p className="muted grow">
          With SCIM, your identity provider creates, changes and deactivates people and groups within a minute.
        </p>
        <Button onClick={() => setIsCreating(true)}>New token</Button>
      </div>
      <Listing paging={tokens} what="tokens" empty={<p className="muted">No tokens. Create one per provider.</p>}>
        {(items) => (
          <ul className="plain-list">
            {items.map((token) => (
              <ScimTokenItem key={token.id} token={token} />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title="New SCIM token" side="middle" isOpen={isCreating} onOpenChange={setIsCreating}>
        <ScimTokenForm
          onDone={(token) => {
            setIsCreating(false);
            setCreated(token);
          }}
        />
      </Sheet>
      <Sheet
        title="Enter these at your provider"
        description="Copy the token now. It is not shown again."
        side="middle"
        isOpen={created !== undefined}
        onOpenChange={() => setCreated(undefined)}
      >
        {created === undefined ? null : (
          <>
            <CopyField label="Token" value={created.token} />
            <CopyField label="Base URL" value={created.url} />
          </>
        )}
      </Sheet>
    </section>
  );
}
