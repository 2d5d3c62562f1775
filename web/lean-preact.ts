import type { Plugin } from "vite"

/** Patterns of the published file, whose names are shortened: a new Preact that reads otherwise ends the build. */
const unused: readonly { what: string; code: RegExp; instead?: string }[] = [
  {
    what: "suspending a child",
    code: /if\(e\.length=v,r\.__v=null,c\|\|o\)if\(t&&t\.then\)\{.*?t&&t\.then\|\|D\(r\),n\.__e\(t,r,u\)/,
    instead: "throw t",
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
  {
    what: "making a class",
    code: /C=\(s=V\.prototype\)&&s\.render,j=\(s=V\.contextType\).*?:i,/,
    instead: "L=i,",
  },
  { what: "an instance of a class", code: /C\?r\.__c=d=new V\(M,L\):/ },
  { what: "reading a context", code: /,d\.render=K\),j&&j\.sub\(d\)/, instead: ")" },
  {
    what: "drawing until a class is content",
    code: /H=n\.__r,q=C\?25:0;do\{.*?\}while\(8&d\.__g&&\+\+q<25\);/,
    instead: "d.__g&=-9,s=V(M);",
  },
  { what: "a class that needs no drawing", code: /\|\|!\(4&d\.__g\)&&d\.shouldComponentUpdate.*?\(M,d\.__s,L\)/ },
  { what: "portals", code: /M\.__P&&\(s=l,.*?S\(u,0\):null\),/ },
  { what: "the end of a portal", code: /M\.__P&&\(r\.__e=null,l=s\),/ },
  { what: "moving a portal", code: /if\(n\.props\.__P\)return t;/ },
  { what: "references", code: /\(h\.ref!=v\.ref\|\|8&h\.__u\)&&\(.*?v\.__c\|\|w,v\)\),/ },
  { what: "what waits for the end of a drawing", code: /for\(var i=0;i<u\.length;\)G.*?n\.__e\(t,r\.__v\)\}\}\)/ },
  {
    what: "the end of references and classes",
    code: /if\(n\.unmount&&n\.unmount\(t\),.*?\}i\.__P=i\.__n=null\}/,
    instead: "if(i=t.__c)i.__P=i.__n=null;",
  },
  { what: "HTML that was there", code: /"dangerouslySetInnerHTML"==s\?y=k:/ },
  { what: "HTML that comes", code: /"dangerouslySetInnerHTML"==s\?h=k:/ },
  {
    what: "HTML as text, and HTML inside of pictures",
    code: /h\?\(l\|\|y&&.*?\(f="http:\/\/www\.w3\.org\/1999\/xhtml"\),/,
    instead: "(",
  },
  { what: "formulas", code: /"math"==C\?f="http:\/\/www\.w3\.org\/1998\/Math\/MathML":/ },
  { what: "changing a class's state", code: /x\.prototype\.setState=function.*?,x\.prototype\.render=\$,/ },
  {
    what: "error boundaries",
    code: /n=\{__e:function\(n,t,r,u\)\{.*?throw f=0,n\}\}/,
    instead: "n={__e:function(n){throw n}}",
  },
]

/** The checkout is functions of one state: what Preact carries for classes, Suspense, portals and references stays at home. */
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
