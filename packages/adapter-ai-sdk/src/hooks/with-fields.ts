/**
 * An object that is `value` but for some fields; `value` itself is not changed.
 *
 * Plain data is copied. For anything else (an instance of a class, an object that inherits its fields) another one
 * stands in, which asks `value` for all the rest: a copy has no private members, so that accessors and methods
 * of it would throw.
 */
export function withFields<T extends object>(value: T, fields: object): T {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === Object.prototype) return { ...value, ...fields };
  // Not assigned: the class may have setters, or getters alone.
  const changed = Object.create(prototype, Object.getOwnPropertyDescriptors(fields)) as T;
  const standIn: T = new Proxy(changed, {
    get(own, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name) as unknown;
      const field: unknown = Reflect.get(value, name);
      if (typeof field !== "function") return field;
      return new Proxy(field, {
        apply: (method, self, args) =>
          Reflect.apply(method, self === standIn ? value : self, args) as unknown,
      });
    },
    has: (own, name) => Object.hasOwn(own, name) || Reflect.has(value, name),
    ownKeys: (own) => [...new Set([...Reflect.ownKeys(value), ...Reflect.ownKeys(own)])],
    getOwnPropertyDescriptor(own, name) {
      const field = Reflect.getOwnPropertyDescriptor(own, name);
      if (field !== undefined) return field;
      const other = Reflect.getOwnPropertyDescriptor(value, name);
      // Nothing may be called fixed that the target of a proxy does not have.
      return other && { ...other, configurable: true };
    },
  });
  return standIn;
}
