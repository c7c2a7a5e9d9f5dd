"""JavaScript that translated modules call."""

#: Functions that the translation calls.
RUNTIME = """\
const $filled = (length, value) => new Array(length).fill(value);
const $modulo = (a, b) => ((a % b) + b) % b;
"""
#: Functions that checked translations call.
CHECKS = """\
const $index = (values, index) => {
  if (!Number.isInteger(index) || index < 0 || index >= values.length) throw new RangeError(`index ${index}`);
  return index;
};
const $at = (values, index) => values[$index(values, index)];
const $get = (values, key) => {
  if (!values.has(key)) throw new RangeError(`key ${key}`);
  return values.get(key);
};
const $bits = (value) => {
  if ((value | 0) !== value) throw new RangeError(`bits of ${value}`);
  return value;
};
const $left = (value, by) => {
  if ($count(by) !== by || (value << by) !== value * 2 ** by) throw new RangeError(`${value} << ${by}`);
  return value << by;
};
const $count = (by) => {
  if (!Number.isInteger(by) || by < 0 || by > 31) throw new RangeError(`shift by ${by}`);
  return by;
};
const $natural = (value) => {
  if (value < 0) throw new RangeError(`negative index ${value}`);
  return value;
};
const $divisor = (value) => {
  if (value === 0) throw new RangeError("division by zero");
  return value;
};
"""
