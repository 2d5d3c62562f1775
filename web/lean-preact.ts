import type { Plugin } from "vite"

/** Patterns of the published file, whose names are shortened: a new Preact that reads otherwise ends the build. */
const unused: readonly { what: string; code: RegExp; instead?: string }[] = [
  {
    what: "suspending a child",
    code: /if\(e\.length=v,r\.__v=null,c\|\|o\)if\(t&&t\.then\)\{.*?\}else o&&o\.some\(g\);else r\.__e/,
    instead: "e.length=v,r.__v=null,r.__e",
  },
  { what: "resuming a child", code: /128&u\.__u&&\(c=32&u\.__u.*?l=o\[0\]\|\|l\),/ },
  { what: "removing a suspended child", code: /!u&&\(i=t\.__c\)&&\(i=i\.__z\)&&\(.*?g\(i\)\),/ },
  { what: "state of a class", code: /C&&\(d\.__s\|\|.*?V\.getDerivedStateFromProps\(M,d\.__s\)\)\)\),/ },
  { what: "properties of a class", code: /M!==k&&C&&!V\.getDerivedStateFromProps.*?componentWillReceiveProps\(M,L\),/ },
  {
    what: "a class that is drawn",
    code: /d\.componentWillUpdate&&.*?d\.componentDidUpdate\(k,b,m\)\}\)\}else .*?d\.__h\.push\(d\.componentDidMount\);/,
    instead: "}",
  },
  {
    what: "a class that was drawn",
    code: /C&&\(y\.push\.apply\(d\.__h,d\.__k\),d\.__k=\[\]\),d\.state=d\.__s,.*?\(m=d\.getSnapshotBeforeUpdate\(k,b\)\),/,
  },
  { what: "changing a class's state", code: /x\.prototype\.setState=function.*?,x\.prototype\.render=\$,/ },
  {
    what: "error boundaries",
    code: /n=\{__e:function\(n,t,r,u\)\{.*?throw f=0,n\}\}/,
    instead: "n={__e:function(n){throw n}}",
  },
]

/** The checkout is functions of one state. What Preact carries for classes, Suspense and error boundaries stays at home. */
export const leanPreact: Plugin = {
  name: "lean-preact",
  transform: {
    filter: { id: /preact\/dist\/preact\.mjs$/ },
    handler(code) {
      return unused.reduce((lean, { what, code: pattern, instead = "" }) => {
        if (!pattern.test(lean)) this.error(`Preact has changed: there is no ${what} where it was`)
        return lean.replace(pattern, () => instead)
      }, code)
    },
  },
}
