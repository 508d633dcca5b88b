import { Component, type ComponentType } from 'preact';

/** Returns a component that is drawn again only when one of its properties is another one. */
export function memo<P extends object>(Inner: ComponentType<P>) {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P) {
      const before = this.props as P;
      return (Object.keys({ ...before, ...next }) as (keyof P)[]).some((name) => before[name] !== next[name]);
    }

    override render() {
      return <Inner {...(this.props as P)} />;
    }
  };
}
