import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { call } from '#api/request.ts';
import type { Connector } from '#api/types.ts';
import { SCHEDULE, typeSpec } from '#pages/connectors/connector-fields.ts';
import { toChange, toSettings, toValues, type Values } from '#pages/connectors/form-values.ts';
import { SettingsFields } from '#pages/connectors/settings-fields.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';

/** Changes a connector's name, settings and, where new ones are given, credentials. */
export function EditForm({ connector }: { readonly connector: Connector }) {
  const queryClient = useQueryClient();
  const spec = typeSpec(connector.type);
  const fields = [...(spec?.config ?? []), ...(connector.type === 'upload' ? [] : [SCHEDULE])];
  const secrets = spec?.credentials ?? [];
  const [name, setName] = useState(connector.name);
  const [config, setConfig] = useState<Values>(() => toValues(fields, connector.config));
  const [credentials, setCredentials] = useState<Values>({});
  const save = useMutation({
    mutationFn: () => {
      const given = toSettings(secrets, credentials);
      return call('PUT', `/api/v1/connectors/${connector.id}`, {
        body: {
          name,
          config: toChange(fields, config),
          ...(Object.keys(given).length === 0 ? {} : { credentials: given }),
        },
      });
    },
    onSuccess: () => {
      setCredentials({});
      void queryClient.invalidateQueries({ queryKey: ['connectors'] });
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate();
  }
  return (
    <form className="card stack" onSubmit={submit}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        required
        maxLength={200}
        error={issueOf(save.error, 'name')}
      />
      <SettingsFields fields={fields} root="config" values={config} error={save.error} onChange={setConfig} />
      {secrets.length === 0 ? null : (
        <fieldset>
          <legend>New credentials</legend>
          <p className="hint">Empty: the ones it has stay.</p>
          <SettingsFields
            fields={secrets}
            root="credentials"
            values={credentials}
            error={save.error}
            onChange={setCredentials}
          />
        </fieldset>
      )}
      {save.error ? <ErrorNotice error={save.error} /> : null}
      {save.isSuccess ? (
        <p className="notice notice-good" role="status">
          Saved.
        </p>
      ) : null}
      <div className="row row-end">
        <Button type="submit" isPrimary isBusy={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
