import { useState } from 'react';
import { CONNECTOR_TYPES, type TypeSpec } from '#pages/connectors/connector-fields.ts';
import { ConnectorForm } from '#pages/connectors/connector-form.tsx';
import { SourceLogo } from '#pages/connectors/source-logo.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { PageHead } from '#ui/page-head.tsx';

const CONNECTORS = { to: '/connectors', label: t('connectors.title') };

/** Creates a connector: shows the types, then a form for the settings of the selected one. */
export default function NewConnectorPage() {
  const [spec, setSpec] = useState<TypeSpec>();
  if (spec !== undefined) {
    return (
      <>
        <PageHead title={t('connectors.connectType', { type: spec.label })} parent={CONNECTORS} intro={spec.about}>
          <Button onClick={() => setSpec(undefined)}>{t('connectors.changeType')}</Button>
        </PageHead>
        <ConnectorForm spec={spec} />
      </>
    );
  }
  return (
    <>
      <PageHead title={t('connectors.new')} parent={CONNECTORS} intro={t('connectors.chooseSource')} />
      <ul className="cards">
        {CONNECTOR_TYPES.map((candidate) => (
          <li key={candidate.type}>
            <button type="button" className="card choice" onClick={() => setSpec(candidate)}>
              <span className="row">
                <SourceLogo type={candidate.type} />
                <strong>{candidate.label}</strong>
              </span>
              <span className="muted">{candidate.about}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
