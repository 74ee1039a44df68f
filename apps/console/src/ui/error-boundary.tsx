import { Component, type ReactNode } from 'react';
import { Button } from '#ui/button.tsx';

interface State {
  readonly error: Error | undefined;
}

/** Keeps a page that fails from taking the frame with it. */
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
        <p>This page failed to open: {error.message}</p>
        {/* Also what helps after an update of Lectern, whose pages have other file names. */}
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    );
  }
}
