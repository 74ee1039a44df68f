import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { IdentityProvider } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { useRole } from '#session/session.ts';
import { Checkbox, SelectField, TextArea, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { linesOf } from '#ui/lines-of.ts';

const ROLES = [
  { value: 'member', label: 'Member: search and chat' },
  { value: 'editor', label: 'Editor: also content' },
  { value: 'admin', label: 'Admin: also people and keys' },
] as const;

type DefaultRole = IdentityProvider['defaultRole'];

const EMPTY = {
  name: '',
  slug: '',
  issuer: '',
  clientId: '',
  scopes: ['profile', 'email'],
  domains: [],
  defaultRole: 'member' as DefaultRole,
  trustsAddresses: false,
  allowsOwners: false,
  groupsClaim: 'groups',
  isShown: true,
};

/** Adds an identity provider, or edits one. */
export function IdentityProviderForm({
  provider,
  onDone,
}: {
  readonly provider?: IdentityProvider;
  readonly onDone: (saved: IdentityProvider) => void;
}) {
  const isOwner = useRole('owner');
  const [values, setValues] = useState({ ...EMPTY, ...provider });
  const [scopes, setScopes] = useState(values.scopes.join(', '));
  const [domains, setDomains] = useState(values.domains.join('\n'));
  const [clientSecret, setClientSecret] = useState('');
  const set = (changes: Partial<typeof values>) => setValues((before) => ({ ...before, ...changes }));
  const save = useChange(
    async () => {
      const { name, slug, issuer, clientId, defaultRole, trustsAddresses, allowsOwners, groupsClaim, isShown } = values;
      const settings = {
        ...{ name, clientId, defaultRole, trustsAddresses, allowsOwners, groupsClaim, isShown },
        scopes: linesOf(scopes.replaceAll(' ', ',')),
        domains: linesOf(domains),
      };
      const { client } = lectern();
      if (provider === undefined) {
        return client.call('createIdentityProvider', { body: { ...settings, slug, issuer, clientSecret } });
      }
      const body = { ...settings, ...(clientSecret === '' ? {} : { clientSecret }) };
      return client.call('updateIdentityProvider', { path: { id: provider.id }, body });
    },
    ['identity-providers', 'sign-in-providers'],
    onDone,
  );
  const isNew = provider === undefined;
  const isIncomplete =
    values.name.trim() === '' ||
    values.clientId.trim() === '' ||
    (isNew && (values.slug === '' || values.issuer === '' || clientSecret === ''));
  return (
    <Form
      mutation={save}
      done={`The provider is ${isNew ? 'added' : 'saved'}.`}
      label={isNew ? 'Add provider' : 'Save'}
      isIncomplete={isIncomplete}
    >
      <TextField
        label="Name"
        value={values.name}
        onChange={(name) => set({ name })}
        hint="People see it on the button “Sign in with …”."
        error={issueOf(save.error, 'name')}
        required
        autoFocus
      />
      {isNew ? (
        <>
          <TextField
            label="Short name"
            value={values.slug}
            onChange={(slug) => set({ slug })}
            hint="Names its groups in permissions, for example group:okta/Sales. It cannot be changed."
            error={issueOf(save.error, 'slug')}
            spellCheck={false}
            required
          />
          <TextField
            label="Issuer URL"
            spellCheck={false}
            value={values.issuer}
            onChange={(issuer) => set({ issuer })}
            hint="The provider shows it with the application. It cannot be changed."
            error={issueOf(save.error, 'issuer')}
            placeholder="https://example.okta.com"
            required
          />
        </>
      ) : null}
      <TextField
        label="Client id"
        value={values.clientId}
        onChange={(clientId) => set({ clientId })}
        error={issueOf(save.error, 'clientId')}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TextField
        label="Client secret"
        type="password"
        value={clientSecret}
        onChange={setClientSecret}
        hint={isNew ? 'Stored encrypted and never shown again.' : 'Leave it empty to keep the current one.'}
        error={issueOf(save.error, 'clientSecret')}
        autoComplete="off"
        required={isNew}
      />
      <TextArea
        label="Domains"
        value={domains}
        onChange={setDomains}
        hint="One per line. People with a verified address of these domains get an account when they sign in. Everybody else needs an invitation."
        error={issueOf(save.error, 'domains')}
        rows={2}
      />
      <SelectField
        label="Role of new accounts"
        value={values.defaultRole}
        options={ROLES}
        onChange={(chosen) => set({ defaultRole: ROLES.find(({ value }) => value === chosen)?.value ?? 'member' })}
      />
      <details>
        <summary>More settings</summary>
        <div className="stack">
          <TextField
            label="Scopes"
            value={scopes}
            onChange={setScopes}
            hint="In addition to openid. Some providers need groups."
            error={issueOf(save.error, 'scopes')}
          />
          <TextField
            label="Claim with the groups"
            value={values.groupsClaim}
            onChange={(groupsClaim) => set({ groupsClaim })}
            error={issueOf(save.error, 'groupsClaim')}
          />
          <Checkbox
            label="Show a button on the sign-in page"
            isChecked={values.isShown}
            onChange={(isShown) => set({ isShown })}
          />
          <Checkbox
            label="Trust its addresses without email_verified (only if people cannot choose their address there)"
            isChecked={values.trustsAddresses}
            onChange={(trustsAddresses) => set({ trustsAddresses })}
          />
          {isOwner ? (
            <Checkbox
              label="Owners can sign in with it (then only owners can change it)"
              isChecked={values.allowsOwners}
              onChange={(allowsOwners) => set({ allowsOwners })}
            />
          ) : null}
        </div>
      </details>
    </Form>
  );
}
