package iam_test

import (
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

const (
	module  = "aviso"
	dynamo  = module + "/internal/dynamo"
	config  = module + "/internal/aws/config"
	service = "github.com/aws/aws-sdk-go-v2/service/"
)

// program returns the module's packages as instructions. Of what they import it has only types.
func program(t *testing.T) *ssa.Program {
	t.Helper()
	settings := packages.Config{Mode: packages.LoadSyntax, Dir: root}
	loaded, err := packages.Load(&settings, module+"/functions/...", module+"/internal/...")
	require.NoError(t, err)
	for _, p := range loaded {
		require.Empty(t, p.Errors, p.PkgPath)
	}
	prog, _ := ssautil.Packages(loaded, ssa.InstantiateGenerics)
	prog.Build()
	return prog
}

// reach is what a function's main can reach, and where texts flow: the variables of its environment, and names
// of indexes.
//
// A call through an interface reaches the methods of all types that reachable code turns into an interface.
// Every function that reachable code mentions counts as called, and so do the exported methods of what code
// outside of the module gets. Texts flow through the fields of structs as if each type had one value. But
// package dynamo has one type for all tables: what is called with its types, or returns them, is followed for
// each caller again, and structs that are not the module's have the texts of all their fields.
type reach struct {
	prog     *ssa.Program
	indexes  []string              // names of all indexes
	from     map[instance]instance // what is reached, and from where
	at       instance              // that is being followed
	next     []instance            // to follow
	out      map[node][]node       // where texts flow
	texts    map[node]map[string]bool
	made     map[string]types.Type // types that became interfaces
	lent     map[string]types.Type // types and interfaces of which code outside gets values
	invoked  map[string][]use      // calls through interfaces
	dynamic  map[string][]use      // calls of values, by signature
	values   map[string][]instance // functions that are values, by signature
	fits     map[[2]string]bool    // which type implements which interface
	calls    []call
	problems []string // what it does not understand
}

// instance is a function as followed for a chain of calls, or for all callers.
type instance struct {
	fn  *ssa.Function
	via string
}

// node is something that can hold a text.
type node struct {
	via string
	of  any
	i   int
}

// field is a field of the module's structs of a type.
type field struct {
	of string
	i  int
}

// use is a call as seen in an instance.
type use struct {
	via  string
	site ssa.CallInstruction
}

// call is a call of AWS, or a part of a transaction.
type call struct {
	operation string // such as dynamodb.GetItem
	input     node
	in        instance
}

func newReach(prog *ssa.Program, indexes []string, name string) *reach {
	r := &reach{
		prog: prog, indexes: indexes, from: map[instance]instance{}, out: map[node][]node{},
		texts: map[node]map[string]bool{}, made: map[string]types.Type{}, invoked: map[string][]use{},
		lent: map[string]types.Type{}, dynamic: map[string][]use{}, values: map[string][]instance{},
		fits: map[[2]string]bool{},
	}
	main := prog.ImportedPackage(module + "/functions/" + name)
	r.visit(instance{main.Func("init"), ""})
	r.visit(instance{main.Func("main"), ""})
	for len(r.next) > 0 {
		r.at, r.next = r.next[len(r.next)-1], r.next[:len(r.next)-1]
		for _, block := range r.at.fn.Blocks {
			for _, i := range block.Instrs {
				r.follow(i)
			}
		}
	}
	return r
}

func (r *reach) visit(in instance) {
	if _, seen := r.from[in]; !seen {
		r.from[in] = r.at
		r.next = append(r.next, in)
	}
}

// path says how main comes to an instance.
func (r *reach) path(in instance) string {
	var names []string
	for ; in.fn != nil; in = r.from[in] {
		names = append(names, strings.ReplaceAll(in.fn.String(), module+"/internal/", ""))
	}
	return strings.Join(names, " < ")
}

func (r *reach) flow(from, to node) {
	if from.of == nil || to.of == nil || from == to || slices.Contains(r.out[from], to) {
		return
	}
	r.out[from] = append(r.out[from], to)
	for text := range r.texts[from] {
		r.put(to, text)
	}
}

func (r *reach) put(n node, text string) {
	if n.of == nil || r.texts[n][text] {
		return
	}
	if r.texts[n] == nil {
		r.texts[n] = map[string]bool{}
	}
	r.texts[n][text] = true
	for _, to := range r.out[n] {
		r.put(to, text)
	}
}

// value returns the node of a value; the zero one if it holds no text.
func (r *reach) value(via string, v ssa.Value) node {
	switch v := v.(type) {
	case nil, *ssa.Function, *ssa.Builtin:
		return node{}
	case *ssa.Global:
		return node{of: v}
	case *ssa.Const:
		n := node{via: via, of: v}
		if v.Value == nil && isDynamo(v.Type(), "Index", "Query") {
			r.put(n, "index:")
		} else if v.Value != nil && v.Value.Kind() == constant.String {
			if text := constant.StringVal(v.Value); slices.Contains(r.indexes, text) {
				r.put(n, "index:"+text)
			} else if strings.HasSuffix(text, "/banks/") {
				r.put(n, "banks:")
			}
		}
		return n
	}
	if !holdsText(v.Type()) {
		return node{}
	}
	return node{via: via, of: v}
}

// holdsText reports whether texts in values of a type count. A client of AWS has those of its configuration.
func holdsText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Interface, *types.Signature:
		return false
	case *types.Pointer:
		return holdsText(u.Elem()) && !strings.HasSuffix(u.Elem().String(), ".Client")
	}
	return true
}

// named returns the path of the package of a type, or of what it points to, and the type's name.
func named(t types.Type) (path, name string) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path(), n.Obj().Name()
	}
	return "", ""
}

func isDynamo(t types.Type, names ...string) bool {
	path, name := named(t)
	return path == dynamo && slices.Contains(names, name)
}

func isOurs(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

// part returns the node of a field of a struct, or of what points to it.
func (r *reach) part(v ssa.Value, i int) node {
	path, name := named(v.Type())
	if path == dynamo || path != "" && !isOurs(path) {
		return r.value(r.at.via, v)
	}
	if path == "" {
		name = strings.TrimPrefix(v.Type().String(), "*")
	}
	return node{of: field{path + "." + name, i}}
}

// follow follows an instruction of r.at.
func (r *reach) follow(i ssa.Instruction) {
	via := r.at.via
	of := func(v ssa.Value) node { return r.value(via, v) }
	result, _ := i.(ssa.Value)
	to := of(result)
	same := func(n node) { r.flow(n, to); r.flow(to, n) } // an address
	for _, operand := range i.Operands(nil) {
		if fn, ok := (*operand).(*ssa.Function); ok {
			r.mention(i, fn)
		}
	}
	switch i := i.(type) {
	case ssa.CallInstruction:
		r.call(use{via, i})
	case *ssa.Alloc:
		r.alloc(i)
	case *ssa.Store:
		r.flow(of(i.Val), of(i.Addr))
	case *ssa.MapUpdate:
		r.flow(of(i.Key), of(i.Map))
		r.flow(of(i.Value), of(i.Map))
	case *ssa.Send:
		r.flow(of(i.X), of(i.Chan))
	case *ssa.FieldAddr:
		same(r.part(i.X, i.Field))
	case *ssa.Field:
		same(r.part(i.X, i.Field))
	case *ssa.IndexAddr:
		same(of(i.X))
	case *ssa.Slice:
		same(of(i.X))
	case *ssa.MakeInterface:
		r.makes(i)
	case *ssa.ChangeInterface:
		if path, _ := named(i.Type()); !isOurs(path) {
			r.lend(i.X.Type())
		}
	case *ssa.Return:
		for n, v := range i.Results {
			r.flow(of(v), node{via, r.at.fn, n})
		}
	case *ssa.Extract:
		if _, call := i.Tuple.(*ssa.Call); call {
			r.flow(node{via, i.Tuple, i.Index}, to)
		} else {
			r.flow(of(i.Tuple), to)
		}
	case *ssa.MakeClosure: // mention binds its variables
	default: // has the texts of what it is made of
		for _, operand := range i.Operands(nil) {
			r.flow(of(*operand), to)
		}
	}
}

// alloc sees parts of transactions, and queries that name no index.
func (r *reach) alloc(a *ssa.Alloc) {
	path, name := named(a.Type())
	if path == service+"dynamodb/types" && slices.Contains(strings.Fields("Put Update Delete ConditionCheck Get"), name) {
		r.calls = append(r.calls, call{"dynamodb." + name + "Item", r.value(r.at.via, a), r.at})
	}
	want := map[string]string{"Query": "Index", "Index": "Name"}[name]
	if path != dynamo || want == "" {
		return
	}
	fields := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	for _, i := range *a.Referrers() {
		if store, ok := i.(*ssa.Store); ok && store.Addr == a {
			return // it is a copy
		}
		if f, ok := i.(*ssa.FieldAddr); ok && fields.Field(f.Field).Name() == want {
			return
		}
	}
	r.put(r.value(r.at.via, a), "index:")
}

// mention follows a function that is used as a value.
func (r *reach) mention(i ssa.Instruction, fn *ssa.Function) {
	in := instance{fn, r.at.via}
	if c, ok := i.(ssa.CallInstruction); ok && c.Common().Value == fn {
		return // it is called
	} else if closure, ok := i.(*ssa.MakeClosure); !ok {
		in.via = ""
	} else {
		if fn.Parent() == nil { // the value of a method
			in.via += "/" + strconv.Itoa(int(closure.Pos()))
		}
		r.bind(r.at.via, closure, in)
	}
	if fn.Blocks == nil {
		if operation(fn) != "" {
			r.problems = append(r.problems, "a value of "+fn.String()+" in "+r.path(r.at))
		}
		return
	}
	r.visit(in)
	key := types.TypeString(fn.Signature, nil)
	r.values[key] = append(r.values[key], in)
	for _, u := range r.dynamic[key] {
		r.pass(u, u.site.Common().Args, in, fn.Params)
	}
}

// bind gives a function the variables that it captures.
func (r *reach) bind(via string, closure *ssa.MakeClosure, in instance) {
	for n, bound := range closure.Bindings {
		r.give(r.value(via, bound), in.via, in.fn.FreeVars[n])
	}
}

// give passes a text on to a parameter. What it points to is the same on both sides.
func (r *reach) give(from node, via string, to ssa.Value) {
	n := r.value(via, to)
	r.flow(from, n)
	path, _ := named(to.Type())
	switch to.Type().Underlying().(type) {
	case *types.Pointer, *types.Map:
		if path == dynamo || !isOurs(path) {
			r.flow(n, from)
		}
	}
}

// pass connects a call's arguments and results with those of an instance.
func (r *reach) pass(u use, args []ssa.Value, in instance, params []*ssa.Parameter) {
	r.visit(in)
	for n := range min(len(args), len(params)) {
		r.give(r.value(u.via, args[n]), in.via, params[n])
	}
	if result := u.site.Value(); result != nil {
		for n := range in.fn.Signature.Results().Len() {
			r.flow(node{in.via, in.fn, n}, node{u.via, result, n})
		}
	}
}

// instance returns the instance of a function that is called.
func (r *reach) instance(u use, fn *ssa.Function) instance {
	pkg := fn.Pkg
	if fn.Origin() != nil {
		pkg = fn.Origin().Pkg
	}
	again := pkg != nil && pkg.Pkg.Path() == dynamo
	for _, list := range []*types.Tuple{fn.Signature.Params(), fn.Signature.Results()} {
		for v := range list.Variables() {
			again = again || isDynamo(v.Type(), "Table", "Index", "Query")
		}
	}
	place := "/" + strconv.Itoa(int(u.site.Pos()))
	switch {
	case !again:
		return instance{fn, ""}
	case strings.Contains(u.via+"/", place+"/"): // it calls itself
		return instance{fn, u.via}
	}
	return instance{fn, u.via + place}
}

func (r *reach) call(u use) {
	common := u.site.Common()
	fn := common.StaticCallee()
	switch _, builtin := common.Value.(*ssa.Builtin); {
	case common.IsInvoke():
		key := types.TypeString(common.Value.Type(), nil) + "." + common.Method.Name()
		r.invoked[key] = append(r.invoked[key], u)
		for _, t := range r.made {
			r.dispatch(u, t)
		}
	case builtin:
		r.outside(u, nil, common.Args)
	case fn == nil && common.Value.Type().String() == config+".Env":
		r.variable(u, common.Args)
	case fn == nil:
		key := types.TypeString(common.Signature(), nil)
		r.dynamic[key] = append(r.dynamic[key], u)
		for _, in := range r.values[key] {
			r.pass(u, common.Args, in, in.fn.Params)
		}
	case fn.String() == "(*"+config+".Reader).Required", fn.String() == "(*"+config+".Reader).Optional":
		r.variable(u, common.Args[1:])
	case fn.Blocks == nil:
		r.outside(u, fn, common.Args)
	default:
		in := r.instance(u, fn)
		if closure, ok := common.Value.(*ssa.MakeClosure); ok {
			r.bind(u.via, closure, in)
		}
		r.pass(u, common.Args, in, fn.Params)
	}
}

// variable sees a variable of the environment being read; a fallback may follow its name.
func (r *reach) variable(u use, args []ssa.Value) {
	if name, ok := args[0].(*ssa.Const); ok {
		r.put(node{u.via, u.site.Value(), 0}, "env:"+constant.StringVal(name.Value))
	} else if !strings.HasPrefix(r.at.fn.String(), "("+config) && !strings.HasPrefix(r.at.fn.String(), "(*"+config) {
		r.problems = append(r.problems, "a variable whose name is made in "+r.path(r.at))
	}
	r.outside(u, nil, args[1:])
}

// outside sees a call of code outside of the module: its results have the texts of its arguments.
func (r *reach) outside(u use, fn *ssa.Function, args []ssa.Value) {
	switch name := operation(fn); {
	case name == "?":
		r.problems = append(r.problems, "an unknown call "+fn.String()+" in "+r.path(r.at))
	case name != "" && fn.Name() == "NextPage": // whose receiver has the input
		r.calls = append(r.calls, call{name, r.value(u.via, args[0]), r.at})
	case name != "": // after the client and the context
		r.calls = append(r.calls, call{name, r.value(u.via, args[2]), r.at})
	}
	result := u.site.Value()
	if result == nil {
		return
	}
	results := 1
	if tuple, ok := result.Type().(*types.Tuple); ok {
		results = tuple.Len()
	}
	for _, arg := range args {
		for n := range results {
			r.flow(r.value(u.via, arg), node{u.via, result, n})
		}
	}
}

// operation returns which operation of AWS a function calls, "" for none, and "?" if that is not known.
func operation(fn *ssa.Function) string {
	if fn == nil || fn.Signature.Recv() == nil {
		return ""
	}
	path, kind := named(fn.Signature.Recv().Type())
	path, isAWS := strings.CutPrefix(path, service)
	paginator, pages := strings.CutSuffix(kind, "Paginator")
	switch {
	case !isAWS || strings.Contains(path, "/") || fn.Name() == "HasMorePages":
		return ""
	case kind == "Client":
		return path + "." + fn.Name()
	case pages && fn.Name() == "NextPage":
		return path + "." + paginator
	}
	return "?"
}

// makes sees a value of an interface being made.
func (r *reach) makes(i *ssa.MakeInterface) {
	t := i.X.Type()
	key := types.TypeString(t, nil)
	r.flow(r.value(r.at.via, i.X), node{of: key})
	if path, _ := named(i.Type()); !isOurs(path) {
		r.lend(t)
	}
	if r.made[key] != nil {
		return
	}
	r.made[key] = t
	for _, l := range r.lent {
		r.expose(t, l)
	}
	for _, uses := range r.invoked {
		for _, u := range uses {
			r.dispatch(u, t)
		}
	}
}

// lend notes that code outside gets values of a type or interface.
func (r *reach) lend(l types.Type) {
	key := types.TypeString(l, nil)
	if path, _ := named(l); r.lent[key] != nil || !isOurs(path) {
		return
	}
	r.lent[key] = l
	r.expose(l, l)
	for _, t := range r.made {
		r.expose(t, l)
	}
}

// expose visits what others can call of a type that they get as an l.
func (r *reach) expose(t, l types.Type) {
	if path, _ := named(t); !isOurs(path) || types.IsInterface(t) || t != l && !r.fit(t, l) {
		return
	}
	for s := range r.prog.MethodSets.MethodSet(t).Methods() {
		if fn := r.prog.MethodValue(s); fn != nil && s.Obj().Exported() {
			r.visit(instance{fn, ""})
			r.flow(node{of: types.TypeString(t, nil)}, r.value("", fn.Params[0]))
		}
	}
}

// fit reports whether a type implements an interface.
func (r *reach) fit(t, as types.Type) bool {
	key := [2]string{types.TypeString(t, nil), types.TypeString(as, nil)}
	fits, known := r.fits[key]
	if !known {
		i, ok := as.Underlying().(*types.Interface)
		fits = ok && types.Implements(t, i)
		r.fits[key] = fits
	}
	return fits
}

// dispatch passes a call through an interface on to a type's method, if it has it.
func (r *reach) dispatch(u use, t types.Type) {
	common := u.site.Common()
	if !r.fit(t, common.Value.Type()) {
		return
	}
	fn := r.prog.LookupMethod(t, common.Method.Pkg(), common.Method.Name())
	if fn.Blocks == nil {
		r.outside(u, fn, slices.Concat([]ssa.Value{common.Value}, common.Args))
		return
	}
	r.flow(node{of: types.TypeString(t, nil)}, r.value("", fn.Params[0]))
	r.pass(u, common.Args, instance{fn, ""}, fn.Params[1:])
}
