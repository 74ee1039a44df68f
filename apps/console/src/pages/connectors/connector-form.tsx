import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { issueOf } from '#api/issue-of.ts';
import { call } from '#api/request.ts';
import type { ConnectionReport, Connector } from '#api/types.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { beginOAuth } from '#pages/connectors/begin-oauth.ts';
import { SCHEDULE, type TypeSpec } from '#pages/connectors/connector-fields.ts';
import { toSettings, type Values } from '#pages/connectors/form-values.ts';
import { ReportView } from '#pages/connectors/report-view.tsx';
import { SettingsFields } from '#pages/connectors/settings-fields.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField, TextField } from '#ui/field.tsx';

/** The settings of a new connector; they can be tried before it is made. */
export function ConnectorForm({ spec }: { readonly spec: TypeSpec }) {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const collections = useCollections();
  const [name, setName] = useState(spec.label);
  const [chosen, setCollection] = useState('');
  const [config, setConfig] = useState<Values>({});
  const [credentials, setCredentials] = useState<Values>({});
  const collection = chosen || (collections.data?.[0]?.id ?? '');
  const fields = [...spec.config, ...(spec.type === 'upload' ? [] : [SCHEDULE])];
  const settings = () => ({
    type: spec.type,
    config: toSettings(fields, config),
    credentials: toSettings(spec.credentials, credentials),
  });
  const test = useMutation({
    mutationFn: () => call<ConnectionReport>('POST', '/api/v1/connectors/test', { body: settings() }),
  });
  const create = useMutation({
    mutationFn: async () => {
      if (spec.isOAuth) return beginOAuth(spec.type, { name, collection });
      const made = await call<Connector>('POST', '/api/v1/connectors', { body: { name, collection, ...settings() } });
      void queryClient.invalidateQueries({ queryKey: ['connectors'] });
      navigate(`/connectors/${made.id}`);
    },
  });
  const error = create.error ?? test.error;
  function submit(event: FormEvent) {
    event.preventDefault();
    test.reset();
    create.mutate();
  }

  return (
    <form className="card stack" onSubmit={submit}>
      <div className="form-grid">
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          required
          maxLength={200}
          error={issueOf(error, 'name')}
        />
        <SelectField
          label="Collection"
          value={collection}
          onChange={setCollection}
          options={(collections.data ?? []).map((row) => ({ value: row.id, label: row.name }))}
          hint={
            collections.data?.length === 0 ? (
              <>
                There is none yet: <Link href="/collections">make one first</Link>.
              </>
            ) : (
              'Where its documents go.'
            )
          }
        />
      </div>
      {spec.isOAuth ? null : (
        <>
          <SettingsFields fields={fields} root="config" values={config} error={error} onChange={setConfig} />
          {spec.credentials.length === 0 ? null : (
            <fieldset>
              <legend>Credentials</legend>
              <p className="hint">{spec.credentialsHint} They are kept encrypted and never shown again.</p>
              <SettingsFields
                fields={spec.credentials}
                root="credentials"
                values={credentials}
                error={error}
                onChange={setCredentials}
              />
            </fieldset>
          )}
        </>
      )}
      {test.data ? <ReportView report={test.data} /> : null}
      {error ? <ErrorNotice error={error} /> : null}
      <div className="row row-end">
        {spec.isOAuth || spec.type === 'upload' ? null : (
          <Button
            isBusy={test.isPending}
            onClick={() => {
              create.reset();
              test.mutate();
            }}
          >
            Test the connection
          </Button>
        )}
        <Button type="submit" isPrimary isBusy={create.isPending} disabled={collection === '' || name.trim() === ''}>
          {spec.isOAuth ? `Authorise with ${spec.label}` : 'Connect'}
        </Button>
      </div>
    </form>
  );
}
