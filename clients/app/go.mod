module aviso.example/app

go 1.26.0

require aviso.example/client v0.0.0-00010101000000-000000000000

replace aviso.example/client => ../go
