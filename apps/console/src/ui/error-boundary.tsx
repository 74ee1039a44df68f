import { Component, type ReactNode } from 'react';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';

interface State {
  readonly error: Error | undefined;
}

/** Shows the error of a page and keeps the layout working. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): State {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="notice notice-error" role="alert">
        <p>{t('ui.partFailed', { reason: error.message })}</p>
        {/* After an upgrade the chunks of the pages have new names. A reload loads them. */}
        <Button onClick={() => location.reload()}>{t('ui.reloadPage')}</Button>
      </div>
    );
  }
}
